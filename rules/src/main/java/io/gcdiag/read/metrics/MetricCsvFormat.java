package io.gcdiag.read.metrics;

import com.fasterxml.jackson.core.JacksonException;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.CsvRows;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.Unpacked;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables of metrics: a column of times and columns of values, as Grafana and others export them.
 */
public final class MetricCsvFormat extends InputFormat {

  /** A dashboard's panel has some series; thousands of columns are another kind of table. */
  private static final int MOST_COLUMNS = 2_000;

  public MetricCsvFormat() {
    super("metrics-csv", MetricFiles.KIND, "a table of metrics with a column of times (CSV)");
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
    char separator =
        separator(
            FileHead.of(file.bytes())
                .text()
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse(""));
    long used = 0;
    long leftOut = 0;
    boolean zoned = true;
    Outcome outcome = Outcome.COMPLETE;
    try (Unpacked bytes = intake.open(file).asText();
        CsvRows rows = new CsvRows(MetricFiles.lines(bytes), separator)) {
      String[] header = rows.next().orElse(new String[0]);
      int time = MetricColumn.timeColumn(header);
      if (time < 0 || header.length > MOST_COLUMNS) {
        throw new IOException("no column of times, or more than " + MOST_COLUMNS + " columns");
      }
      List<MetricColumn> columns = MetricColumn.of(header, time);
      for (Optional<String[]> next = rows.next(); next.isPresent(); next = rows.next()) {
        String[] row = next.get();
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
    } catch (JacksonException e) {
      leftOut++;
    }
    if (used == 0) {
      throw new IOException("no row with a time that can be read");
    }
    if (!zoned) {
      intake.note(file.name() + " states no time zone; its times are taken for UTC");
    }
    return leftOut == 0
        ? outcome
        : MetricFiles.without(leftOut + " rows without a readable time were left out", outcome);
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

  /**
   * A value in a table: a number, or what a dashboard made of it, such as {@code 12.5 MiB}.
   *
   * @param value in seconds, bytes or as a share where it has such a unit; NaN if it is no number
   * @param hasUnit whether the cell says its unit; if not, the column has to
   */
  private record TableValue(double value, boolean hasUnit) {

    private static final Pattern VALUE =
        Pattern.compile("([-+]?(?:\\d[\\d_]*)?\\.?\\d+(?:[eE][-+]?\\d+)?)\\s*([A-Za-zµμ%/]*)");

    private static final double KIB = 1024;

    /** To seconds, bytes and shares of one; what is not here is left as it is. */
    private static final Map<String, Double> UNITS =
        Map.ofEntries(
            Map.entry("ns", 1e-9),
            Map.entry("us", 1e-6),
            Map.entry("µs", 1e-6),
            Map.entry("μs", 1e-6),
            Map.entry("ms", 1e-3),
            Map.entry("s", 1.0),
            Map.entry("min", 60.0),
            Map.entry("%", 1e-2),
            Map.entry("B", 1.0),
            Map.entry("kB", 1e3),
            Map.entry("MB", 1e6),
            Map.entry("GB", 1e9),
            Map.entry("KiB", KIB),
            Map.entry("MiB", KIB * KIB),
            Map.entry("GiB", KIB * KIB * KIB));

    static TableValue parse(String cell) {
      Matcher text = VALUE.matcher(cell.strip());
      if (!text.matches()) {
        return new TableValue(Double.NaN, false);
      }
      double number = Double.parseDouble(text.group(1).replace("_", ""));
      Double factor = UNITS.get(text.group(2));
      return factor == null ? new TableValue(number, false) : new TableValue(number * factor, true);
    }
  }

  /**
   * A column of values. Its heading is a name, or a name with labels as Prometheus writes them:
   * that is what Grafana puts there when the panel sets no legend.
   *
   * @param index its place in the row, from 0
   */
  private record MetricColumn(int index, String name, SortedMap<String, String> labels) {

    private static final Set<String> TIMES =
        Set.of("time", "timestamp", "date", "datetime", "date_time", "ts", "@timestamp");

    private static final Pattern SERIES = Pattern.compile("([A-Za-z_:][\\w:.]*)?\\{(.*)\\}");
    private static final Pattern LABEL = Pattern.compile("(\\w[\\w.]*)\\s*=\\s*\"([^\"]*)\"");

    /** The place of the column of times, or -1. */
    static int timeColumn(String[] header) {
      for (int i = 0; i < header.length; i++) {
        if (TIMES.contains(clean(header[i]).toLowerCase(Locale.ROOT))) {
          return i;
        }
      }
      return -1;
    }

    static List<MetricColumn> of(String[] header, int time) {
      List<MetricColumn> columns = new ArrayList<>();
      for (int i = 0; i < header.length; i++) {
        if (i != time && !header[i].isBlank()) {
          columns.add(of(clean(header[i]), i));
        }
      }
      return columns;
    }

    private static MetricColumn of(String heading, int index) {
      SortedMap<String, String> labels = new TreeMap<>();
      Matcher series = SERIES.matcher(heading);
      if (!series.matches()) {
        return new MetricColumn(index, heading, labels);
      }
      Matcher label = LABEL.matcher(series.group(2));
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
      String inside = labels.remove("__name__");
      String name = series.group(1) != null ? series.group(1) : inside != null ? inside : heading;
      return new MetricColumn(index, name, labels);
    }

    private static String clean(String heading) {
      return heading.replace("\uFEFF", "").strip();
    }
  }

  /**
   * A time in a table.
   *
   * @param at when; without a zone, as if it were UTC
   * @param zoned whether the text states its zone or counts from the epoch
   */
  private record TableTime(Instant at, boolean zoned) {

    private static final Pattern NUMBER = Pattern.compile("\\d{9,19}(?:\\.\\d{1,9})?");

    /**
     * Seconds, milliseconds, microseconds or nanoseconds, recognised by size: the years 2001 to
     * 2286.
     */
    private static final double LEAST_MILLIS = 1e11;

    private static final double LEAST_MICROS = 1e14;
    private static final double LEAST_NANOS = 1e17;
    private static final double NANOS_PER_SECOND = 1e9;

    private static final DateTimeFormatter LOCAL =
        new DateTimeFormatterBuilder()
            .appendPattern("yyyy-MM-dd[ ]['T']HH:mm[:ss]")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter(Locale.ROOT);

    /** Absent if the text is no time. */
    static Optional<TableTime> parse(String cell) {
      String text = cell.strip();
      if (NUMBER.matcher(text).matches()) {
        return Optional.of(new TableTime(epoch(Double.parseDouble(text)), true));
      }
      try {
        return Optional.of(
            new TableTime(OffsetDateTime.parse(text.replace(' ', 'T')).toInstant(), true));
      } catch (DateTimeException e) {
        return local(text);
      }
    }

    private static Optional<TableTime> local(String text) {
      try {
        return Optional.of(
            new TableTime(LocalDateTime.parse(text, LOCAL).toInstant(ZoneOffset.UTC), false));
      } catch (DateTimeException e) {
        return Optional.empty();
      }
    }

    private static Instant epoch(double value) {
      double seconds = value;
      if (value >= LEAST_NANOS) {
        seconds = value / 1e9;
      } else if (value >= LEAST_MICROS) {
        seconds = value / 1e6;
      } else if (value >= LEAST_MILLIS) {
        seconds = value / 1e3;
      }
      long whole = (long) seconds;
      return Instant.ofEpochSecond(whole, Math.round((seconds - whole) * NANOS_PER_SECOND));
    }
  }
}
