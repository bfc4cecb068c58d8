package io.gcdiag.cli.report;

import java.util.List;

/**
 * One labelled fact.
 *
 * @param label a word or two
 * @param values what is the case, each a line of its own; at least one
 */
public record Fact(String label, List<Cell> values) {

  public Fact(String label, Cell value) {
    this(label, List.of(value));
  }

  static Fact of(String label, String value) {
    return of(label, List.of(value));
  }

  static Fact of(String label, List<String> lines) {
    return new Fact(label, lines.stream().map(Cell::of).toList());
  }
}
