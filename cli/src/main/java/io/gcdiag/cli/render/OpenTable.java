package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Column;
import io.gcdiag.cli.report.Tone;
import java.util.ArrayList;
import java.util.List;

/** A table without lines around its cells. */
final class OpenTable {

  private static final String GAP = "  ";

  /** Where a cell of the first column goes on, so that it is not taken for a row of its own. */
  private static final String INDENT = " ";

  /** A last column narrower than this would be a column of single words. */
  private static final int NARROWEST = 20;

  /** Rows of fewer lines on average can be distinguished without an empty line between them. */
  private static final double APART_FROM = 3;

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
    List<List<String>> rows = table.rows().stream().map(this::row).toList();
    double lines = rows.stream().mapToInt(List::size).sum();
    boolean apart = table.ruled() && lines >= APART_FROM * rows.size();
    List<String> all = new ArrayList<>();
    all.addAll(row(table.columns().stream().map(c -> new Cell(c.title(), Tone.STRONG)).toList()));
    for (List<String> row : rows) {
      if (apart && row != rows.get(0)) {
        all.add("");
      }
      all.addAll(row);
    }
    return all;
  }

  private List<String> row(List<Cell> cells) {
    List<List<String>> columns = new ArrayList<>();
    int height = 1;
    for (int i = 0; i < widths.length; i++) {
      columns.add(wrapped(cells.get(i).text(), i));
      height = Math.max(height, columns.get(i).size());
    }
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < height; at++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String text = at < columns.get(i).size() ? columns.get(i).get(at) : "";
        String pad = " ".repeat(Math.max(0, widths[i] - text.length()));
        String painted = ansi.paint(text, cells.get(i).tone());
        line.append(i == 0 ? "" : GAP).append(isNumber(i) ? pad + painted : painted + pad);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
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
