package io.gcdiag.cli.render;

import java.text.Normalizer;
import java.util.Map;
import java.util.regex.Pattern;

/** Text in ASCII, for terminals and tickets that show nothing else; keeps the width of drawings. */
final class Ascii {

  private static final Pattern ACCENTS = Pattern.compile("\\p{M}");

  private static final Map<Character, Character> DRAWN =
      Map.ofEntries(
          Map.entry('│', '|'),
          Map.entry('─', '-'),
          Map.entry('┌', '+'),
          Map.entry('┬', '+'),
          Map.entry('┐', '+'),
          Map.entry('├', '+'),
          Map.entry('┼', '+'),
          Map.entry('┤', '+'),
          Map.entry('└', '+'),
          Map.entry('┴', '+'),
          Map.entry('┘', '+'),
          Map.entry('═', '='),
          Map.entry('▼', 'v'),
          Map.entry('≤', '<'),
          Map.entry('▁', '_'),
          Map.entry('▂', '.'),
          Map.entry('▃', ':'),
          Map.entry('▄', '-'),
          Map.entry('▅', '='),
          Map.entry('▆', '+'),
          Map.entry('▇', '*'),
          Map.entry('█', '#'));

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
    Character drawn = DRAWN.get((char) codePoint);
    if (drawn != null && Character.isBmpCodePoint(codePoint)) {
      return drawn;
    }
    String bare =
        ACCENTS
            .matcher(Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFD))
            .replaceAll("");
    return bare.length() == 1 && bare.charAt(0) < 0x80 ? bare.charAt(0) : '?';
  }
}
