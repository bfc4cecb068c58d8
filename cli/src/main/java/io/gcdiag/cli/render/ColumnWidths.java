package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Shares a line's width among the columns of a table so that the table gets as few lines as it can.
 */
final class ColumnWidths {

  /**
   * A column keeps its longest word whole up to this length, which is that of the longest id of a
   * hypothesis in brackets; longer ones may be cut.
   */
  private static final int LONGEST_WHOLE_WORD = 28;

  /** Names are cut behind their separators where that makes a table so much shorter. */
  private static final double MUCH_SHORTER = 0.8;

  /**
   * Ids are cut like other names only where that nearly halves the height of a table: an id in two
   * pieces can be neither searched for nor copied.
   */
  private static final double HALVED = 0.6;

  /**
   * Longer tokens are no English words; with longer ones a table would exceed the maximum width.
   */
  private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z]?[a-z]{1,15}[,;:.]?");

  /** Parts of names up to this length are broken last: shorter fragments are unreadable. */
  private static final int SHORT_WORD = 12;

  /** Numbers up to this length are never broken. */
  private static final int WIDEST_NUMBER = 14;

  /** No column gets narrower than this. */
  private static final int NARROWEST = 2;

  /** The texts of each column, its title first. */
  private final List<List<String>> columns = new ArrayList<>();

  /** Preferred and minimum width of each column. */
  private final int[] comfortable;

  private final int[] readable;

  private final int[] least;
  private final int[] natural;
  private final int[] widths;

  /** Cached line counts of the texts of a column, by column and width; null until computed. */
  private final int[][][] heights;

  /** Which names are not broken. */
  private enum Whole {
    ALL,
    IDS,
    NONE
  }

  private ColumnWidths(Block.Table table, Whole whole) {
    for (int i = 0; i < table.columns().size(); i++) {
      List<String> texts = new ArrayList<>();
      texts.add(table.columns().get(i).title());
      for (var row : table.rows()) {
        texts.add(row.get(i).text());
      }
      columns.add(texts);
    }
    natural = columns.stream().mapToInt(texts -> Math.max(NARROWEST, longest(texts))).toArray();
    widths = natural.clone();
    heights = new int[natural.length][][];
    for (int i = 0; i < natural.length; i++) {
      heights[i] = new int[natural[i] + 1][];
    }
    comfortable =
        IntStream.range(0, columns.size())
            .map(i -> longestWord(columns.get(i), isWhole(table.columns().get(i), whole)))
            .toArray();
    readable =
        IntStream.range(0, columns.size())
            .map(
                i ->
                    Math.max(
                        Math.min(SHORT_WORD, comfortable[i]), longestPlainWord(columns.get(i))))
            .toArray();
    least = new int[comfortable.length];
    for (int i = 0; i < comfortable.length; i++) {
      if (table.columns().get(i).align() == Column.Align.RIGHT) {
        // A number and its unit stay on one line; only the title may be broken.
        List<String> texts = columns.get(i);
        comfortable[i] = Math.max(comfortable[i], longest(texts.subList(1, texts.size())));
        least[i] = Math.min(comfortable[i], WIDEST_NUMBER);
        readable[i] = least[i];
      } else {
        least[i] = NARROWEST;
      }
    }
  }

  /**
   * Characters of text per column.
   *
   * @param room characters there are for the text of all columns
   */
  static int[] of(Block.Table table, int room) {
    ColumnWidths best = shrunk(table, Whole.ALL, room);
    if (table.columns().stream().anyMatch(Column::ids)) {
      best = shrunk(table, Whole.IDS, room).ifShorter(MUCH_SHORTER, best);
      return shrunk(table, Whole.NONE, room).ifShorter(HALVED, best).widths;
    }
    return shrunk(table, Whole.NONE, room).ifShorter(MUCH_SHORTER, best).widths;
  }

  private static ColumnWidths shrunk(Block.Table table, Whole whole, int room) {
    ColumnWidths widths = new ColumnWidths(table, whole);
    widths.shrink(room);
    return widths;
  }

  private ColumnWidths ifShorter(double ratio, ColumnWidths other) {
    return lines() < ratio * other.lines() ? this : other;
  }

  private static boolean isWhole(Column column, Whole whole) {
    return whole == Whole.ALL || whole == Whole.IDS && column.ids();
  }

  /** Words are cut only if the table does not fit otherwise. */
  private void shrink(int room) {
    for (int[] floor : List.of(comfortable, readable, least)) {
      int victim = 0;
      while (victim >= 0 && Arrays.stream(widths).sum() > room) {
        victim = cheapest(floor);
        if (victim >= 0) {
          widths[victim]--;
        }
      }
    }
    if (Arrays.stream(widths).sum() > room) {
      throw new IllegalArgumentException(widths.length + " columns do not fit into " + room);
    }
    while (improve()) {
      // Narrowing one by one can end where only a larger exchange helps.
    }
  }

  /** Moves width from one column to another if that reduces the number of lines. */
  private boolean improve() {
    int now = lines();
    for (int from = 0; from < widths.length; from++) {
      int most = widths[from] - Math.min(widths[from], comfortable[from]);
      for (int to = 0; to < widths.length; to++) {
        for (int given = 1; to != from && given <= most; given++) {
          widths[from] -= given;
          widths[to] += given;
          if (lines() < now) {
            return true;
          }
          widths[from] += given;
          widths[to] -= given;
        }
      }
    }
    return false;
  }

  /** The column that loses the fewest lines by narrowing; on a tie, the widest. */
  private int cheapest(int[] floor) {
    int best = -1;
    int bestCost = Integer.MAX_VALUE;
    double bestRatio = 0;
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] > floor[i]) {
        int cost = linesWithNarrower(i);
        double ratio = (double) natural[i] / (widths[i] - 1);
        if (cost < bestCost || cost == bestCost && ratio < bestRatio) {
          best = i;
          bestCost = cost;
          bestRatio = ratio;
        }
      }
    }
    return best;
  }

  private int linesWithNarrower(int column) {
    widths[column]--;
    int lines = lines();
    widths[column]++;
    return lines;
  }

  private int lines() {
    int lines = 0;
    for (int row = 0; row < columns.get(0).size(); row++) {
      int height = 1;
      for (int i = 0; i < widths.length; i++) {
        height = Math.max(height, heights(i, widths[i])[row]);
      }
      lines += height;
    }
    return lines;
  }

  private int[] heights(int column, int given) {
    // A column never needs more width than its longest text.
    int width = Math.min(given, natural[column]);
    int[] known = heights[column][width];
    if (known == null) {
      List<String> texts = columns.get(column);
      known = new int[texts.size()];
      for (int row = 0; row < known.length; row++) {
        known[row] = Wrap.height(texts.get(row), width);
      }
      heights[column][width] = known;
    }
    return known;
  }

  private static int longest(List<String> texts) {
    return texts.stream().mapToInt(String::length).max().orElse(0);
  }

  /** Words are broken last; names remain readable in pieces. */
  private static int longestPlainWord(List<String> texts) {
    return texts.stream()
        .flatMap(text -> Arrays.stream(text.split(" ")))
        .filter(word -> PLAIN_WORD.matcher(word).matches())
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }

  private static int longestWord(List<String> texts, boolean wholeNames) {
    int longest =
        texts.stream()
            .flatMap(text -> Arrays.stream(text.split(" ")))
            .flatMap(word -> wholeNames ? Stream.of(word) : Wrap.pieces(word).stream())
            .mapToInt(String::length)
            .max()
            .orElse(0);
    return Math.max(NARROWEST, Math.min(LONGEST_WHOLE_WORD, longest));
  }
}
