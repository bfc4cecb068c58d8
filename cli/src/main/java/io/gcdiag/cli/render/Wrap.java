package io.gcdiag.cli.render;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Breaks text into lines. */
final class Wrap {

  private static final String SEPARATORS = "./\\$#-_,;:";

  private static final Pattern BLANKS = Pattern.compile(" +");

  private Wrap() {}

  /** Lines of at most so many characters; a word that is longer is cut. At least one line. */
  static List<String> lines(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : BLANKS.split(text.trim())) {
      String rest = word;
      if (line.length() > 0 && line.length() + 1 + rest.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (rest.length() > width) {
        int cut = cut(rest, width);
        lines.add(rest.substring(0, cut));
        rest = rest.substring(cut);
      }
      if (line.length() > 0) {
        line.append(' ');
      }
      line.append(rest);
    }
    lines.add(line.toString());
    return lines;
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

  /** Names and paths are cut behind a separator unless that leaves the line all but empty. */
  private static int cut(String word, int width) {
    for (int i = width; i > width / 4; i--) {
      if (SEPARATORS.indexOf(word.charAt(i - 1)) >= 0) {
        return i;
      }
    }
    return width > 1 && Character.isHighSurrogate(word.charAt(width - 1)) ? width - 1 : width;
  }
}
