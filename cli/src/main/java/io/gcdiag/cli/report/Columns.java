package io.gcdiag.cli.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The columns of a table, each with what it says of a row.
 *
 * @param <T> what a row is about
 */
final class Columns<T> {

  private final List<Entry<T>> entries = new ArrayList<>();

  private record Entry<T>(Column column, Predicate<T> known, Function<T, Cell> cell) {}

  Columns<T> add(Column column, Function<T, Cell> cell) {
    return add(column, row -> true, cell);
  }

  /** A column that is left out where nothing is known of any row. */
  Columns<T> add(Column column, Predicate<T> known, Function<T, Cell> cell) {
    entries.add(new Entry<>(column, known, cell));
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
    List<Entry<T>> kept =
        entries.stream()
            .filter(entry -> rows.isEmpty() || rows.stream().anyMatch(entry.known()))
            .toList();
    return new Block.Table(
        kept.stream().map(Entry::column).toList(),
        rows.stream()
            .map(row -> kept.stream().map(entry -> entry.cell().apply(row)).toList())
            .toList());
  }
}
