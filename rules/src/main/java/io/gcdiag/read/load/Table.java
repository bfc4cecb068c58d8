package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JacksonException;
import io.gcdiag.read.bytes.CsvRows;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import java.util.OptionalLong;

/** Rows of a table in text, one at a time. */
final class Table {

  private final LoadText text;
  private final CsvRows rows;
  private String[] row = {};

  /**
   * A table.
   *
   * @param text receives what cannot be read
   */
  Table(Reader from, LoadText text, char separator) throws IOException {
    this.text = text;
    rows = new CsvRows(from, separator);
  }

  /** Goes to the next row; a quote that is never closed ends the table. */
  boolean next() {
    try {
      Optional<String[]> next = rows.next();
      row = next.orElse(row);
      return next.isPresent();
    } catch (JacksonException e) {
      text.endsAt("damaged near line " + e.getLocation().getLineNr());
    } catch (IOException e) {
      // A line that is too long.
      text.endsAt(e.getMessage());
    }
    return false;
  }

  String[] row() {
    return row.clone();
  }

  /** The value in a column of this row; empty if the row ends before it. */
  String value(int column) {
    return column >= 0 && column < row.length ? row[column].strip() : "";
  }

  /** The whole number in a column of this row, if it is one and not negative. */
  OptionalLong number(int column) {
    return number(value(column));
  }

  /** A whole number that is not negative. */
  static OptionalLong number(String text) {
    if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** A number that is not negative and not infinite. */
  static Optional<Double> decimal(String text) {
    try {
      double value = Double.parseDouble(text);
      return value >= 0 && value <= Double.MAX_VALUE ? Optional.of(value) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
