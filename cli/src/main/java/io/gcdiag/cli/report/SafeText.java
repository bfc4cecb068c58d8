package io.gcdiag.cli.report;

import java.util.regex.Pattern;

/**
 * Makes text out of files harmless. Names of threads, classes and files are arbitrary text; on a
 * terminal, control characters could move the cursor or hide lines.
 */
public final class SafeText {

  /** What a terminal takes for a command: CSI and OSC sequences and two-character escapes. */
  private static final Pattern ESCAPES =
      Pattern.compile(
          "(?:\\x1B\\[|\\x9B)[0-?]*[ -/]*[@-~]"
              + "|(?:\\x1B\\]|\\x9D)[^\\x07\\x1B\\x9C]*(?:\\x07|\\x1B\\\\|\\x9C)?"
              + "|\\x1B[ -/]*[0-~]");

  /** Line ends, tabs and other white space become one blank each. */
  private static final Pattern BLANKS =
      Pattern.compile("\\r\\n|[\\t\\n\\x0B\\f\\r\\x85\\u2028\\u2029]");

  /** Other control characters, marks that reverse the direction of text, and lone surrogates. */
  private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}]");

  private SafeText() {}

  /** The text on one line, without anything a terminal would act on. */
  public static String clean(String text) {
    if (text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      return text;
    }
    String withoutEscapes = ESCAPES.matcher(text).replaceAll("");
    return INVISIBLE.matcher(BLANKS.matcher(withoutEscapes).replaceAll(" ")).replaceAll("");
  }
}
