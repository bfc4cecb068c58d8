package io.gcdiag.ingest.frames;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Libraries that a product ships under a prefix of its own, as build tools relocate them: {@code
 * org.apache.hc.} becomes {@code com.acme.search.org.apache.hc.}.
 */
final class Relocation {

  /** The JVM loads no class of its own from elsewhere. */
  private static final List<String> JDK = List.of("java.", "jdk.", "sun.", "com.sun.");

  /** How packages that are named after domains begin. Other names may be part of any package. */
  private static final Set<String> DOMAINS =
      Set.of("com", "org", "net", "io", "dev", "co", "ch", "de", "me", "edu");

  /** Parts of a prefix that say what it is for. */
  private static final List<String> MARKS =
      List.of(
          "shade",
          "shadow",
          "reloc",
          "repackag",
          "thirdparty",
          "third_party",
          "vendor",
          "jarjar",
          "bundled",
          "embedded");

  /** A package of so many parts is found in no other by chance, whatever its first part is. */
  private static final int UNMISTAKABLE = 3;

  private Relocation() {}

  /** Whether the name of a package may begin at that letter of a frame. */
  static boolean isPackage(String frame, int at) {
    return at < frame.length() && !Character.isUpperCase(frame.charAt(at));
  }

  /**
   * Whether a rule can speak of a frame that has it behind a prefix.
   *
   * @param rule the frame or beginning of frames of the library itself
   * @param prefix what stands before it; ends in a dot
   */
  static boolean isPlausible(String rule, String prefix) {
    if (JDK.stream().anyMatch(rule::startsWith)) {
      return false;
    }
    int parts = packageParts(rule);
    boolean named = DOMAINS.contains(rule.substring(0, rule.indexOf('.'))) && parts > 1;
    return named || parts >= UNMISTAKABLE || isMarked(prefix);
  }

  /** Whether the last part of a prefix says that what follows was put there. */
  private static boolean isMarked(String prefix) {
    int last = prefix.lastIndexOf('.', prefix.length() - 2) + 1;
    String lower = prefix.substring(last).toLowerCase(Locale.ROOT);
    return MARKS.stream().anyMatch(lower::contains);
  }

  /** How many parts of the rule are packages: those before the first that begins with a capital. */
  private static int packageParts(String rule) {
    int parts = 0;
    int from = 0;
    for (int dot = rule.indexOf('.'); dot > 0; dot = rule.indexOf('.', from)) {
      if (!isPackage(rule, from)) {
        return parts;
      }
      parts++;
      from = dot + 1;
    }
    return parts;
  }
}
