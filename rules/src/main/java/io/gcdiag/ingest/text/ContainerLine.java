package io.gcdiag.ingest.text;

/**
 * Lines as Docker's {@code json-file} driver keeps them: {@code {"log":"the
 * line\n","stream":"stdout","time":"..."}}. All other drivers put plain words before the line.
 */
public final class ContainerLine {

  private static final String START = "{\"log\":\"";

  private static final int HEX_DIGITS = 4;
  private static final int HEX = 16;

  private ContainerLine() {}

  /** Whether a line is wrapped so. */
  static boolean isOne(Line line) {
    return line.startsWith(START, 0);
  }

  /** The line that the container wrote; the text itself if it is not wrapped. */
  public static String unwrap(String text) {
    return text.startsWith(START) ? unescaped(text) : text;
  }

  private static String unescaped(String text) {
    StringBuilder line = new StringBuilder(text.length());
    int i = START.length();
    while (i < text.length() && text.charAt(i) != '"') {
      char c = text.charAt(i++);
      if (c != '\\' || i == text.length()) {
        line.append(c);
        continue;
      }
      char escape = text.charAt(i++);
      switch (escape) {
        case 't' -> line.append('\t');
        case 'n', 'r', 'b', 'f' -> {
          // The end of the line, and what no log writes.
        }
        case 'u' -> {
          line.append(character(text, i));
          i += HEX_DIGITS;
        }
        default -> line.append(escape);
      }
    }
    return line.toString();
  }

  /** Four digits: {@code <} and {@code >} are written so, and any character beyond ASCII may be. */
  private static char character(String text, int from) {
    int value = 0;
    for (int i = from; i < from + HEX_DIGITS; i++) {
      int digit = i < text.length() ? Character.digit(text.charAt(i), HEX) : -1;
      if (digit < 0) {
        return '?';
      }
      value = value * HEX + digit;
    }
    return (char) value;
  }
}
