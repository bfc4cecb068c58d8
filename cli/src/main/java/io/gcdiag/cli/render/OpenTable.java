package io.gcdiag.cli.render;

import de.vandermeer.asciitable.AT_Row;
import de.vandermeer.asciitable.AsciiTable;
import de.vandermeer.asciithemes.TA_GridThemes;
import de.vandermeer.asciithemes.u8.U8_Grids;
import de.vandermeer.skb.interfaces.transformers.textformat.TextAlignment;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Column;
import io.gcdiag.cli.report.Tone;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table without lines around its cells, laid out by asciitable. */
final class OpenTable {

  private static final String GAP = "  ";

  /** Indent of continued cells in the first column, which distinguishes them from new rows. */
  private static final String INDENT = " ";

  /** A last column narrower than this would be a column of single words. */
  private static final int NARROWEST = 20;

  /** Rows of fewer lines on average can be distinguished without an empty line between them. */
  private static final double APART_FROM = 3;

  private static final String LINE_BREAK = "<br>";

  /** Replaces the start of such a mark in texts during layout. */
  private static final char LESS_THAN = '\uE000';

  /** Replaces a space during layout: the library collapses runs and trims cells. */
  private static final char BLANK = '\uE001';

  /** Without a grid a blank takes the place of each border; with the padding it is the gap. */
  private static final int BORDER = 1;

  private static final int PADDING = GAP.length() - BORDER;

  /**
   * A row as it is drawn.
   *
   * @param texts the lines of each cell
   */
  private record Row(List<Cell> cells, List<List<String>> texts) {

    int height() {
      return texts.stream().mapToInt(List::size).reduce(1, Math::max);
    }
  }

  private final Block.Table table;

  /** The name above each row; empty where it stands in the row. */
  private final List<String> above;

  private final int[] widths;
  private final Look look;

  /** The title's first. */
  private final List<Row> rows = new ArrayList<>();

  private OpenTable(Block.Table table, List<String> above, Look look) {
    this.table = table;
    this.above = above;
    this.look = look;
    int room = look.width() - GAP.length() * (table.columns().size() - 1);
    widths = table.ruled() ? ColumnWidths.of(table, room) : lastTakesTheRest(table, room);
    rows.add(row(table.columns().stream().map(c -> new Cell(c.title(), Tone.STRONG)).toList()));
    table.rows().forEach(cells -> rows.add(row(cells)));
  }

  static List<String> lines(Block.Table table, Look look) {
    return table.layout() == Block.Table.Layout.NAMED
        ? named(table, look)
        : new OpenTable(table, table.rows().stream().map(row -> "").toList(), look).lines();
  }

  /** The fewest lines in which no name is cut: so many of the longest stand above their rows. */
  private static List<String> named(Block.Table table, Look look) {
    List<String> names = table.rows().stream().map(row -> row.get(0).text()).toList();
    OpenTable best = named(table, names, 0, look);
    for (int most : names.stream().mapToInt(String::length).toArray()) {
      OpenTable other = named(table, names, most, look);
      if (other.widths[0] >= most && other.height() < best.height()) {
        best = other;
      }
    }
    return best.lines();
  }

  private static OpenTable named(Block.Table table, List<String> names, int most, Look look) {
    List<String> above = names.stream().map(name -> name.length() > most ? name : "").toList();
    return new OpenTable(table.without(above), above, look);
  }

  private static int[] lastTakesTheRest(Block.Table table, int room) {
    int last = table.columns().size() - 1;
    int[] widths = new int[last + 1];
    int rest = room;
    for (int i = 0; i < last; i++) {
      int column = i;
      widths[i] =
          table.rows().stream()
              .mapToInt(row -> Math.min(room / 2, row.get(column).text().length()))
              .reduce(table.columns().get(i).title().length(), Math::max);
      rest -= widths[i];
    }
    widths[last] = Math.max(NARROWEST, rest);
    return widths;
  }

  /** Number of lines, without drawing them. */
  private int height() {
    int lines = areApart() ? Math.max(0, rows.size() - 2) : 0;
    for (int i = 0; i < rows.size(); i++) {
      lines += rows.get(i).height() + above(i).size();
    }
    return lines;
  }

  private boolean areApart() {
    double lines = rows.stream().skip(1).mapToInt(Row::height).sum();
    return table.ruled() && lines >= APART_FROM * table.rows().size();
  }

  private List<String> above(int row) {
    return row == 0
        ? List.of()
        : Wrap.lines(above.get(row - 1), look.width()).stream()
            .filter(one -> !one.isEmpty())
            .toList();
  }

  private List<String> lines() {
    Iterator<String> drawn = List.of(drawn().split("\n")).iterator();
    boolean apart = areApart();
    List<String> all = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (apart && i > 1) {
        all.add("");
      }
      all.addAll(above(i));
      for (int line = 0; line < rows.get(i).height(); line++) {
        all.add(painted(drawn.next(), rows.get(i).cells()));
      }
    }
    return all;
  }

  private Row row(List<Cell> cells) {
    List<List<String>> texts = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      texts.add(wrapped(cells.get(i).text(), i));
    }
    return new Row(cells, texts);
  }

  /** The rows without colours, which would count as characters. */
  private String drawn() {
    AsciiTable drawing = new AsciiTable();
    // Not CWC_FixedWidth, which passes over columns of fewer than three characters.
    int[] padded = Arrays.stream(widths).map(width -> width + PADDING).toArray();
    drawing.getRenderer().setCWC((all, columns, width) -> padded);
    for (Row row : rows) {
      AT_Row drawn = drawing.addRow(row.texts().stream().map(OpenTable::cell).toList());
      for (int i = 0; i < widths.length; i++) {
        drawn
            .getCells()
            .get(i)
            .getContext()
            .setTextAlignment(isNumber(i) ? TextAlignment.RIGHT : TextAlignment.LEFT);
      }
    }
    drawing.getContext().setGrid(U8_Grids.borderLight());
    drawing.getContext().setGridTheme(TA_GridThemes.NONE);
    drawing.setPaddingLeft(0);
    drawing.setPaddingRight(PADDING);
    return drawing.render().replace(BLANK, ' ').replace(LESS_THAN, '<');
  }

  /** The lines of a cell, encoded so that the library preserves every character. */
  private static String cell(List<String> lines) {
    return lines.stream()
        .map(line -> line.replace(' ', BLANK).replace('<', LESS_THAN))
        .collect(Collectors.joining(LINE_BREAK));
  }

  private String painted(String line, List<Cell> cells) {
    StringBuilder painted = new StringBuilder();
    int from = BORDER;
    for (int i = 0; i < widths.length; i++) {
      String field = line.substring(from, from + widths[i]);
      String text = field.strip();
      int before = field.indexOf(text);
      painted
          .append(i == 0 ? "" : GAP)
          .append(field, 0, before)
          .append(look.paint(text, cells.get(i).tone()))
          .append(field.substring(before + text.length()));
      from += widths[i] + GAP.length();
    }
    return painted.toString().stripTrailing();
  }

  private List<String> wrapped(String text, int column) {
    List<String> lines = Wrap.lines(text, widths[column]);
    if (column > 0 || isNumber(column) || lines.size() == 1 || widths[column] <= NARROWEST / 2) {
      return lines;
    }
    List<String> indented = new ArrayList<>();
    for (String line : Wrap.lines(text, widths[column] - INDENT.length())) {
      indented.add(indented.isEmpty() ? line : INDENT + line);
    }
    return indented;
  }

  private boolean isNumber(int column) {
    return table.columns().get(column).align() == Column.Align.RIGHT;
  }

  /**
   * Shares a line's width among the columns of a table so that the table gets as few lines as it
   * can.
   */
  private static final class ColumnWidths {

    /**
     * A column keeps its longest word whole up to this length, which is that of the longest id of a
     * hypothesis in brackets; longer ones may be cut.
     */
    private static final int LONGEST_WHOLE_WORD = 28;

    /** Names are cut behind their separators where that makes a table so much shorter. */
    private static final double MUCH_SHORTER = 0.8;

    /**
     * Ids are cut like other names only where that nearly halves the height of a table: an id in
     * two pieces can be neither searched for nor copied.
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

    private final List<Texts> columns = new ArrayList<>();
    private final int[] widths;

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
        columns.add(Texts.of(table.columns().get(i), texts, whole));
      }
      widths = columns.stream().mapToInt(Texts::natural).toArray();
    }

    /**
     * The texts of a column, its title first, with the widths at which they need the fewest lines,
     * and at which words, names and all else are broken.
     *
     * @param heights lines of each text by width; null until computed
     */
    private record Texts(
        List<String> all, int natural, int comfortable, int readable, int least, int[][] heights) {

      static Texts of(Column column, List<String> all, Whole whole) {
        int natural = Math.max(NARROWEST, longest(all));
        int[][] heights = new int[natural + 1][];
        boolean names = whole == Whole.ALL || whole == Whole.IDS && column.ids();
        int word = longestWord(all, names);
        if (column.align() == Column.Align.RIGHT) {
          // A number and its unit stay on one line; only the title may be broken.
          int comfortable = Math.max(word, longest(all.subList(1, all.size())));
          int least = Math.min(comfortable, WIDEST_NUMBER);
          return new Texts(all, natural, comfortable, least, least, heights);
        }
        int readable = Math.max(Math.min(SHORT_WORD, word), longestPlainWord(all));
        return new Texts(all, natural, word, readable, NARROWEST, heights);
      }

      /** A column never needs more width than its longest text. */
      int[] heights(int given) {
        int width = Math.min(given, natural);
        if (heights[width] == null) {
          heights[width] = all.stream().mapToInt(text -> Wrap.height(text, width)).toArray();
        }
        return heights[width];
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

    /** Words are cut only if the table does not fit otherwise. */
    private void shrink(int room) {
      List<ToIntFunction<Texts>> floors =
          List.of(Texts::comfortable, Texts::readable, Texts::least);
      for (ToIntFunction<Texts> floor : floors) {
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
        int most = widths[from] - Math.min(widths[from], columns.get(from).comfortable());
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
    private int cheapest(ToIntFunction<Texts> floor) {
      int best = -1;
      int bestCost = Integer.MAX_VALUE;
      double bestRatio = 0;
      for (int i = 0; i < widths.length; i++) {
        if (widths[i] > floor.applyAsInt(columns.get(i))) {
          int cost = linesWithNarrower(i);
          double ratio = (double) columns.get(i).natural() / (widths[i] - 1);
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
      for (int row = 0; row < columns.get(0).all().size(); row++) {
        int height = 1;
        for (int i = 0; i < widths.length; i++) {
          height = Math.max(height, columns.get(i).heights(widths[i])[row]);
        }
        lines += height;
      }
      return lines;
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
}
