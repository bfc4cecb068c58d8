package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Column;
import io.gcdiag.cli.report.Tone;
import java.util.ArrayList;
import java.util.List;

/** A table without lines around its cells: its last column takes the room that the others leave. */
final class OpenTable {

  private static final String GAP = "  ";

  /** A last column narrower than this would be a column of single words. */
  private static final int NARROWEST = 20;

  private OpenTable() {}

  static List<String> lines(Block.Table table, int width, Ansi ansi) {
    int last = table.columns().size() - 1;
    int[] widths = new int[last + 1];
    int room = width - GAP.length() * last;
    for (int i = 0; i < last; i++) {
      int column = i;
      widths[i] =
          table.rows().stream()
              .mapToInt(row -> Math.min(width / 2, row.get(column).text().length()))
              .reduce(table.columns().get(i).title().length(), Math::max);
      room -= widths[i];
    }
    widths[last] = Math.max(NARROWEST, room);
    List<String> lines = new ArrayList<>();
    lines.addAll(
        row(
            table,
            table.columns().stream().map(c -> new Cell(c.title(), Tone.STRONG)).toList(),
            widths,
            ansi));
    table.rows().forEach(row -> lines.addAll(row(table, row, widths, ansi)));
    return lines;
  }

  private static List<String> row(Block.Table table, List<Cell> cells, int[] widths, Ansi ansi) {
    List<List<String>> columns = new ArrayList<>();
    int height = 1;
    for (int i = 0; i < widths.length; i++) {
      columns.add(Wrap.lines(cells.get(i).text(), widths[i]));
      height = Math.max(height, columns.get(i).size());
    }
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < height; at++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String text = at < columns.get(i).size() ? columns.get(i).get(at) : "";
        String pad = " ".repeat(Math.max(0, widths[i] - text.length()));
        String painted = ansi.paint(text, cells.get(i).tone());
        boolean right = table.columns().get(i).align() == Column.Align.RIGHT;
        line.append(i == 0 ? "" : GAP).append(right ? pad + painted : painted + pad);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
