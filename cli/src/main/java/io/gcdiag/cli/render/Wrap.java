package io.gcdiag.cli.render;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines. */
final class Wrap {

  private static final String SEPARATORS = "./\\$#-_,;:";

  private static final List<String> UNITS =
      List.of("%", "us", "ms", "s", "min", "h", "B", "KiB", "MiB", "GiB", "TiB");

  /** Receives the pieces of a text in order. */
  private interface Pieces {
    /**
     * A word, or a part of one that is longer than a line.
     *
     * @param from where it begins in the text
     * @param opensLine whether it begins a line; otherwise it stands behind a blank
     */
    void piece(int from, int to, boolean opensLine);
  }

  /** Lines of at most so many characters; a word that is longer is cut. At least one line. */
  static List<String> lines(String text, int width) {
    List<StringBuilder> lines = new ArrayList<>();
    fold(
        text,
        width,
        (from, to, opensLine) -> {
          if (opensLine) {
            lines.add(new StringBuilder());
          }
          StringBuilder line = lines.get(lines.size() - 1);
          line.append(opensLine ? "" : " ").append(text, from, to);
        });
    return lines.stream().map(StringBuilder::toString).toList();
  }

  /** The number of lines; called for hundreds of widths during the layout of a table. */
  static int height(String text, int width) {
    int[] lines = {0};
    fold(text, width, (from, to, opensLine) -> lines[0] += opensLine ? 1 : 0);
    return lines[0];
  }

  private static void fold(String text, int width, Pieces pieces) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) <= ' ') {
      end--;
    }
    int at = 0;
    while (at < end && text.charAt(at) <= ' ') {
      at++;
    }
    int used = 0;
    do {
      int wordEnd = wordEnd(text, at, end);
      if (used > 0 && used + 1 + wordEnd - at <= width) {
        pieces.piece(at, wordEnd, false);
        used += 1 + wordEnd - at;
      } else {
        while (wordEnd - at > width) {
          int cut = cut(text, at, width);
          pieces.piece(at, at + cut, true);
          at += cut;
        }
        pieces.piece(at, wordEnd, true);
        used = wordEnd - at;
      }
      at = wordEnd;
      while (at < end && text.charAt(at) == ' ') {
        at++;
      }
    } while (at < end);
  }

  /** A unit stays with its number. */
  private static int wordEnd(String text, int from, int end) {
    int blank = text.indexOf(' ', from);
    while (blank > from && blank + 1 < end && isUnit(text, blank + 1)) {
      blank = text.indexOf(' ', blank + 1);
    }
    return blank < 0 || blank > end ? end : blank;
  }

  /** Whether a unit begins there, after a number and a blank. */
  private static boolean isUnit(String text, int at) {
    char before = text.charAt(at - 2);
    if (before < '0' || before > '9') {
      return text.charAt(at) == '%';
    }
    for (String unit : UNITS) {
      int after = at + unit.length();
      if (text.startsWith(unit, at)
          && (after == text.length() || !Character.isLetterOrDigit(text.charAt(after)))) {
        return true;
      }
    }
    return false;
  }

  /** The parts of a name or path, each with the separator behind which it may be cut. */
  static List<String> pieces(String word) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < word.length(); i++) {
      if (SEPARATORS.indexOf(word.charAt(i)) >= 0 || i == word.length() - 1) {
        pieces.add(word.substring(from, i + 1));
        from = i + 1;
      }
    }
    return pieces;
  }

  /** Names and paths are cut after a separator unless that leaves the line nearly empty. */
  private static int cut(String text, int from, int width) {
    for (int i = width; i > width / 4; i--) {
      if (SEPARATORS.indexOf(text.charAt(from + i - 1)) >= 0) {
        return i;
      }
    }
    return width > 1 && Character.isHighSurrogate(text.charAt(from + width - 1))
        ? width - 1
        : width;
  }
}
