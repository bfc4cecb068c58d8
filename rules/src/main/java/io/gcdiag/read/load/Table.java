package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import java.util.OptionalLong;

/** Rows of a table in text, one at a time. */
final class Table {

  private static final CsvMapper CSV =
      CsvMapper.builder()
          .enable(CsvParser.Feature.WRAP_AS_ARRAY)
          .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
          .build();

  private final LoadText text;
  private final MappingIterator<String[]> rows;
  private String[] row = {};

  /**
   * A table.
   *
   * @param from the table
   * @param text receives what cannot be read
   */
  Table(Reader from, LoadText text, char separator) throws IOException {
    this.text = text;
    rows =
        CSV.readerFor(String[].class)
            .with(CsvSchema.emptySchema().withColumnSeparator(separator))
            .readValues(from);
  }

  /** Goes to the next row; a quote that is never closed ends the table. */
  boolean next() throws IOException {
    try {
      if (!rows.hasNextValue()) {
        return false;
      }
      row = rows.nextValue();
      return true;
    } catch (JacksonException e) {
      // A line that is too long ends the text; the parser knows no place then.
      boolean ended =
          e.getCause() instanceof IOException && !(e.getCause() instanceof JacksonException);
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      text.endsAt(ended ? e.getCause().getMessage() : "damaged near line " + line);
      return false;
    }
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
