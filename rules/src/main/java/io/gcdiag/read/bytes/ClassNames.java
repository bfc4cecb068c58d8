package io.gcdiag.read.bytes;

/**
 * Class names of the JVM in the form of source code. The numbers and addresses of hidden classes
 * (JEP 371) and lambdas are removed: they differ in every run, cannot be found in the source, and
 * would split one piece of code into many.
 */
public final class ClassNames {

  private static final String LAMBDA = "$$Lambda";

  private ClassNames() {}

  /**
   * {@code [B} gives {@code byte[]}, {@code [Ljava.lang.String;} gives {@code java.lang.String[]},
   * {@code app/Orders$$Lambda$14+0x0000000800c03000/253338119} gives {@code app.Orders$$Lambda}.
   */
  public static String source(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    if (dimensions == 0) {
      return dotted(name);
    }
    String element = name.substring(dimensions);
    return element(element) + "[]".repeat(dimensions);
  }

  private static String dotted(String name) {
    int lambda = name.indexOf(LAMBDA);
    int end = lambda < 0 ? named(name) : lambda + LAMBDA.length();
    return name.substring(0, end).replace('/', '.');
  }

  /** End of the name, where the JVM's suffix for a hidden class begins. */
  private static int named(String name) {
    int last = Math.max(name.lastIndexOf('/'), name.lastIndexOf('.'));
    boolean numbered = last > 0 && last + 1 < name.length() && isDigit(name.charAt(last + 1));
    int end = numbered ? last : name.length();
    int address = name.indexOf("+0x");
    return address > 0 && address < end ? address : end;
  }

  /** Names in source code do not begin with a digit. */
  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static String element(String descriptor) {
    return switch (descriptor) {
      case "B" -> "byte";
      case "C" -> "char";
      case "D" -> "double";
      case "F" -> "float";
      case "I" -> "int";
      case "J" -> "long";
      case "S" -> "short";
      case "Z" -> "boolean";
      default ->
          descriptor.startsWith("L") && descriptor.endsWith(";")
              ? dotted(descriptor.substring(1, descriptor.length() - 1))
              : dotted(descriptor);
    };
  }
}
