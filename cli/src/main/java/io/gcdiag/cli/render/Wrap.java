package io.gcdiag.cli.render;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines. */
final class Wrap {

  private static final String SEPARATORS = "./\\$#-_,;:";

  private Wrap() {}

  /** Lines of at most so many characters; a word that is longer is cut. At least one line. */
  static List<String> lines(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.trim().split(" +")) {
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

  /** Names and paths are cut behind a separator if there is one in the second half of the line. */
  private static int cut(String word, int width) {
    for (int i = width; i > width / 2; i--) {
      if (SEPARATORS.indexOf(word.charAt(i - 1)) >= 0) {
        return i;
      }
    }
    return width > 1 && Character.isHighSurrogate(word.charAt(width - 1)) ? width - 1 : width;
  }
}
