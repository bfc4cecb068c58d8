package io.gcdiag.ingest.text;

/** Class names as the JVM writes them, in the form of source code. */
public final class ClassNames {

  private ClassNames() {}

  /**
   * {@code [B} gives {@code byte[]}, {@code [Ljava.lang.String;} gives {@code java.lang.String[]}.
   */
  public static String source(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    if (dimensions == 0) {
      return name.replace('/', '.');
    }
    String element = name.substring(dimensions);
    return element(element) + "[]".repeat(dimensions);
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
              ? descriptor.substring(1, descriptor.length() - 1).replace('/', '.')
              : descriptor.replace('/', '.');
    };
  }
}
