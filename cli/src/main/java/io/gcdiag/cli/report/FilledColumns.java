package io.gcdiag.cli.report;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Tables without columns that say nothing. */
final class FilledColumns {

  private FilledColumns() {}

  /** The table without columns of numbers in which no row has a figure, and those without text. */
  static Block.Table of(Block.Table table) {
    int[] kept =
        IntStream.range(0, table.columns().size())
            .filter(i -> table.rows().stream().anyMatch(row -> !isEmpty(row.get(i), table, i)))
            .toArray();
    return new Block.Table(
        Arrays.stream(kept).mapToObj(table.columns()::get).toList(),
        table.rows().stream().map(row -> Arrays.stream(kept).mapToObj(row::get).toList()).toList(),
        table.folded(),
        table.ruled(),
        table.unfolding());
  }

  private static boolean isEmpty(Cell cell, Block.Table table, int column) {
    return cell.text().isBlank()
        || table.columns().get(column).align() == Column.Align.RIGHT
            && cell.text().equals(FigureText.NONE);
  }
}
