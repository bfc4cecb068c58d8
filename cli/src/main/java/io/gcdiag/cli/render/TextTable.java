package io.gcdiag.cli.render;

import de.vandermeer.asciitable.AT_Row;
import de.vandermeer.asciitable.AsciiTable;
import de.vandermeer.asciitable.CWC_FixedWidth;
import de.vandermeer.asciithemes.u8.U8_Grids;
import de.vandermeer.skb.interfaces.transformers.textformat.TextAlignment;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Column;
import io.gcdiag.cli.report.Tone;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws a table. Lines between rows are drawn only if rows take three lines or more on average.
 *
 * <p>The table is laid out without colours, which would count as characters; they are put around
 * the text of each cell afterwards, by its place.
 */
final class TextTable {

  private static final int PADDING = 2;

  /** Rows of fewer lines on average can be distinguished without a rule between them. */
  private static final double RULED_FROM = 3;

  /** What the library takes for a line break. */
  private static final String LINE_BREAK = "<br>";

  /** Stands in for the beginning of such a mark inside of texts while the table is drawn. */
  private static final char LESS_THAN = '\uE000';

  /**
   * A row as it is drawn.
   *
   * @param cells its cells
   * @param height the lines it takes
   */
  private record Row(List<Cell> cells, int height) {}

  private final Block.Table table;
  private final int[] widths;
  private final List<Row> rows = new ArrayList<>();
  private final boolean ruled;

  /**
   * Lays out a table.
   *
   * @param table the table
   * @param width characters a line may have
   */
  TextTable(Block.Table table, int width) {
    this.table = table;
    int borders = table.columns().size() + 1;
    this.widths = ColumnWidths.of(table, width - borders - PADDING * table.columns().size());
    rows.add(row(table.columns().stream().map(c -> new Cell(c.title(), Tone.STRONG)).toList()));
    table.rows().forEach(cells -> rows.add(row(cells)));
    int lines = rows.stream().skip(1).mapToInt(Row::height).sum();
    this.ruled = lines >= RULED_FROM * table.rows().size();
  }

  private Row row(List<Cell> cells) {
    int height = 1;
    for (int i = 0; i < widths.length; i++) {
      height = Math.max(height, Wrap.height(cells.get(i).text(), widths[i]));
    }
    return new Row(cells, height);
  }

  List<String> lines(Ansi ansi) {
    List<String> painted = new ArrayList<>();
    int row = 0;
    int linesOfRow = 0;
    for (String line : draw().replace(LESS_THAN, '<').split("\n")) {
      if (line.charAt(0) != '│') {
        painted.add(ansi.paint(line, Tone.MUTED));
        continue;
      }
      painted.add(paint(line, rows.get(row).cells(), ansi));
      linesOfRow++;
      if (linesOfRow == rows.get(row).height()) {
        row++;
        linesOfRow = 0;
      }
    }
    return painted;
  }

  private String draw() {
    AsciiTable drawing = new AsciiTable();
    CWC_FixedWidth calculator = new CWC_FixedWidth();
    for (int width : widths) {
      calculator.add(width + PADDING);
    }
    drawing.getRenderer().setCWC(calculator);
    drawing.addRule();
    for (int i = 0; i < rows.size(); i++) {
      addRow(drawing, rows.get(i));
      if (i == 0 || ruled || i == rows.size() - 1) {
        drawing.addRule();
      }
    }
    drawing.getContext().setGrid(U8_Grids.borderLight());
    drawing.setPaddingLeftRight(PADDING / 2);
    return drawing.render();
  }

  private void addRow(AsciiTable drawing, Row row) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      String text = row.cells().get(i).text().replace(LESS_THAN, '?').replace('<', LESS_THAN);
      texts.add(String.join(LINE_BREAK, Wrap.lines(text, widths[i])));
    }
    AT_Row drawn = drawing.addRow(texts);
    for (int i = 0; i < widths.length; i++) {
      boolean right = table.columns().get(i).align() == Column.Align.RIGHT;
      drawn
          .getCells()
          .get(i)
          .getContext()
          .setTextAlignment(right ? TextAlignment.RIGHT : TextAlignment.LEFT);
    }
  }

  private String paint(String line, List<Cell> cells, Ansi ansi) {
    StringBuilder painted = new StringBuilder("│");
    int from = 1;
    for (int i = 0; i < widths.length; i++) {
      int to = from + widths[i] + PADDING;
      painted.append(ansi.paint(line.substring(from, to), cells.get(i).tone())).append('│');
      from = to + 1;
    }
    return painted.toString();
  }
}
