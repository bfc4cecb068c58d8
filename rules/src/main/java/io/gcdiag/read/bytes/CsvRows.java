package io.gcdiag.read.bytes;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rows of values between separators, which may be quoted, one row at a time and without empty
 * lines. They are taken from the parser itself: to set up Jackson's mapper takes longer than to
 * read most tables.
 */
public final class CsvRows implements Closeable {

  private final CsvParser values;

  public CsvRows(Reader text, char separator) throws IOException {
    values =
        CsvFactory.builder().enable(CsvParser.Feature.SKIP_EMPTY_LINES).build().createParser(text);
    values.setSchema(CsvSchema.emptySchema().withColumnSeparator(separator));
  }

  /**
   * The next row; empty at the end.
   *
   * @throws com.fasterxml.jackson.core.JacksonException for a quote that is never closed
   * @throws IOException if the text cannot be read
   */
  public Optional<String[]> next() throws IOException {
    if (values.nextToken() != JsonToken.START_ARRAY) {
      return Optional.empty();
    }
    List<String> row = new ArrayList<>();
    while (values.nextToken() != JsonToken.END_ARRAY) {
      row.add(values.getText());
    }
    return Optional.of(row.toArray(String[]::new));
  }

  @Override
  public void close() throws IOException {
    values.close();
  }
}
