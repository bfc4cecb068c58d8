package io.gcdiag.ingest.metrics;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.RuntimeJsonMappingException;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.format.FileHead;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.InputFile;
import io.gcdiag.ingest.format.InputFormat;
import io.gcdiag.ingest.text.Unpacked;
import java.io.IOException;
import java.io.Reader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Tables of metrics: a column of times and columns of values, as Grafana and others export them.
 */
public final class MetricCsvFormat implements InputFormat {

  /** The format's public name. */
  public static final String ID = "metrics-csv";

  /** A dashboard's panel has some series; thousands of columns are another kind of table. */
  private static final int MOST_COLUMNS = 2_000;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String kind() {
    return MetricFiles.KIND;
  }

  @Override
  public String description() {
    return "a table of metrics with a column of times (CSV)";
  }

  @Override
  public boolean recognises(FileHead head) {
    List<String> lines = head.text().lines().filter(line -> !line.isBlank()).limit(2).toList();
    if (lines.size() < 2) {
      return false;
    }
    char separator = separator(lines.get(0));
    String[] header = cells(lines.get(0), separator);
    String[] first = cells(lines.get(1), separator);
    int time = MetricColumn.timeColumn(header);
    return header.length > 1
        && time >= 0
        && time < first.length
        && TableTime.parse(first[time]).isPresent();
  }

  /** The character that parts the columns: what the header has most of. */
  private static char separator(String header) {
    char best = ',';
    for (char candidate : new char[] {';', '\t'}) {
      if (count(header, candidate) > count(header, best)) {
        best = candidate;
      }
    }
    return best;
  }

  private static long count(String text, char character) {
    return text.chars().filter(c -> c == character).count();
  }

  /** Two lines are looked at, without regard to separators in quotes. */
  private static String[] cells(String line, char separator) {
    return line.replace("\uFEFF", "").replace("\"", "").split(String.valueOf(separator), -1);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    MetricCollector metrics = MetricCollector.of(intake);
    char separator = separator(firstLine(file));
    long used = 0;
    long leftOut = 0;
    boolean zoned = true;
    Outcome outcome = Outcome.COMPLETE;
    try (Unpacked bytes = intake.open(file);
        MappingIterator<String[]> rows = rows(MetricFiles.lines(bytes), separator)) {
      String[] header = rows.hasNext() ? rows.next() : new String[0];
      int time = MetricColumn.timeColumn(header);
      if (time < 0 || header.length > MOST_COLUMNS) {
        throw new IOException("no column of times, or more than " + MOST_COLUMNS + " columns");
      }
      List<MetricColumn> columns = MetricColumn.of(header, time);
      while (rows.hasNext()) {
        String[] row = rows.next();
        Optional<TableTime> at = time < row.length ? TableTime.parse(row[time]) : Optional.empty();
        if (at.isEmpty()) {
          leftOut++;
          continue;
        }
        zoned &= at.get().zoned();
        used++;
        add(row, columns, at.get().at(), file.name(), metrics);
      }
      outcome = MetricFiles.outcome(metrics, bytes);
    } catch (RuntimeJsonMappingException e) {
      leftOut++;
    }
    if (used == 0) {
      throw new IOException("no row with a time that can be read");
    }
    if (!zoned) {
      intake.timeline().note(file.name() + " states no time zone; its times are taken for UTC");
    }
    return leftOut == 0
        ? outcome
        : Outcome.partial(leftOut + " rows without a readable time were left out");
  }

  private static void add(
      String[] row, List<MetricColumn> columns, Instant at, String file, MetricCollector metrics) {
    for (MetricColumn column : columns) {
      if (column.index() < row.length) {
        Source source = new Source(file, "column " + column.name());
        TableValue cell = TableValue.parse(row[column.index()]);
        if (cell.hasUnit()) {
          metrics.addConverted(column.name(), column.labels(), at, cell.value(), source);
        } else {
          metrics.add(column.name(), column.labels(), at, cell.value(), source);
        }
      }
    }
  }

  private static String firstLine(InputFile file) throws IOException {
    return FileHead.of(file.bytes())
        .text()
        .lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .orElse("");
  }

  private static MappingIterator<String[]> rows(Reader text, char separator) throws IOException {
    return new CsvMapper()
        .readerFor(String[].class)
        .with(CsvParser.Feature.WRAP_AS_ARRAY)
        .with(CsvParser.Feature.SKIP_EMPTY_LINES)
        .with(CsvSchema.emptySchema().withColumnSeparator(separator))
        .readValues(text);
  }
}
