package io.gcdiag.cli.render;

import java.text.Normalizer;
import java.util.regex.Pattern;

/** Text in ASCII, for terminals and tickets that show nothing else; keeps the width of drawings. */
final class Ascii {

  private static final Pattern ACCENTS = Pattern.compile("\\p{M}");

  /** What is drawn, and below it what stands for it. */
  private static final String DRAWN = "│─┌┬┐├┼┤└┴┘═▼≤▁▂▃▄▅▆▇█";

  private static final String PLAIN = "|-+++++++++=v<_.:-=+*#";

  private Ascii() {}

  static String of(String text) {
    StringBuilder ascii = new StringBuilder(text.length());
    text.codePoints().forEach(c -> ascii.append(of(c)));
    return ascii.toString();
  }

  private static char of(int codePoint) {
    if (codePoint < 0x80) {
      return (char) codePoint;
    }
    int drawn = DRAWN.indexOf(codePoint);
    if (drawn >= 0) {
      return PLAIN.charAt(drawn);
    }
    String bare =
        ACCENTS
            .matcher(Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFD))
            .replaceAll("");
    return bare.length() == 1 && bare.charAt(0) < 0x80 ? bare.charAt(0) : '?';
  }
}
