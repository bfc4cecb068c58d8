package io.gcdiag.cli.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * The columns of a table, each with what it says of a row.
 *
 * @param <T> what a row is about
 */
final class Columns<T> {

  private final List<Column> columns = new ArrayList<>();
  private final List<Function<T, Cell>> cells = new ArrayList<>();

  Columns<T> add(Column column, Function<T, Cell> cell) {
    columns.add(column);
    cells.add(cell);
    return this;
  }

  Columns<T> words(String title, Function<T, String> text) {
    return add(Column.words(title), row -> Cell.of(text.apply(row)));
  }

  Columns<T> ids(String title, Function<T, String> text) {
    return add(Column.ids(title), row -> Cell.of(text.apply(row)));
  }

  Columns<T> numbers(String title, Function<T, String> text) {
    return add(Column.numbers(title), row -> Cell.of(text.apply(row)));
  }

  Block.Table of(Collection<T> rows) {
    return new Block.Table(columns, rows.stream().map(this::cells).toList());
  }

  private List<Cell> cells(T row) {
    return cells.stream().map(cell -> cell.apply(row)).toList();
  }
}
