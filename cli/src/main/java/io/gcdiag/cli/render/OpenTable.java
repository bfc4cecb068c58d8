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
import java.util.stream.Collectors;

/** A table without lines around its cells, laid out by asciitable. */
final class OpenTable {

  private static final String GAP = "  ";

  /** Indent of continued cells in the first column, which distinguishes them from new rows. */
  private static final String INDENT = " ";

  /** A last column narrower than this would be a column of single words. */
  private static final int NARROWEST = 20;

  /** Rows of fewer lines on average can be distinguished without an empty line between them. */
  private static final double APART_FROM = 3;

  /** The library's line break mark. */
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
   * @param cells its cells
   * @param texts the lines of each cell
   */
  private record Row(List<Cell> cells, List<List<String>> texts) {

    int height() {
      return texts.stream().mapToInt(List::size).reduce(1, Math::max);
    }
  }

  private final Block.Table table;
  private final int[] widths;
  private final Ansi ansi;

  private OpenTable(Block.Table table, int width, Ansi ansi) {
    this.table = table;
    this.ansi = ansi;
    int room = width - GAP.length() * (table.columns().size() - 1);
    widths = table.ruled() ? ColumnWidths.of(table, room) : lastTakesTheRest(table, room);
  }

  static List<String> lines(Block.Table table, int width, Ansi ansi) {
    return new OpenTable(table, width, ansi).lines();
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

  private List<String> lines() {
    List<Row> rows = new ArrayList<>();
    rows.add(row(table.columns().stream().map(c -> new Cell(c.title(), Tone.STRONG)).toList()));
    table.rows().forEach(cells -> rows.add(row(cells)));
    double lines = rows.stream().skip(1).mapToInt(Row::height).sum();
    boolean apart = table.ruled() && lines >= APART_FROM * table.rows().size();
    Iterator<String> drawn = List.of(drawn(rows).split("\n")).iterator();
    List<String> all = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (apart && i > 1) {
        all.add("");
      }
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
  private String drawn(List<Row> rows) {
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
          .append(ansi.paint(text, cells.get(i).tone()))
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
}
