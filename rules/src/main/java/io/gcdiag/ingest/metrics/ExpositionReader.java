package io.gcdiag.ingest.metrics;

import io.gcdiag.evidence.Source;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads lines such as {@code name{label="value"} 1.5 1700000000000}. A value without a time of its
 * own has that of the page: the {@code Date} header that stands above it when the page was saved
 * with its headers.
 */
final class ExpositionReader {

  /** A line of a page is a name, labels and two numbers; longer ones are no such page. */
  private static final int LONGEST_LINE = 64 * 1024;

  private static final Pattern SAMPLE =
      Pattern.compile(
          "([A-Za-z_:][A-Za-z0-9_:.]*)(\\{.*\\})?\\s+(\\S+)(?:\\s+(-?[0-9.]+))?(?:\\s+#.*)?\\s*");

  private static final Pattern LABEL =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_.]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private static final Pattern DATE = Pattern.compile("date:\\s*(.+)", Pattern.CASE_INSENSITIVE);

  /** The text format writes milliseconds, OpenMetrics seconds; nobody measured before 2001. */
  private static final double LEAST_MILLIS = 1e11;

  private static final double MILLIS_PER_SECOND = 1e3;

  private final String file;
  private final MetricCollector metrics;
  private Optional<Instant> page = Optional.empty();
  private long number;
  private long dated;
  private long undated;

  ExpositionReader(String file, MetricCollector metrics) {
    this.file = file;
    this.metrics = metrics;
  }

  void read(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (line.isEmpty() || line.charAt(0) == '#' || line.length() > LONGEST_LINE) {
        continue;
      }
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        add(sample);
      } else {
        date(line).ifPresent(at -> page = Optional.of(at));
      }
    }
  }

  /** Values that could be placed in time. */
  long dated() {
    return dated;
  }

  /** Values that could not. */
  long undated() {
    return undated;
  }

  private void add(Matcher sample) {
    Optional<Instant> at = sample.group(4) == null ? page : stamp(sample.group(4));
    if (at.isEmpty()) {
      undated++;
      return;
    }
    dated++;
    metrics.add(
        sample.group(1),
        sample.group(2) == null ? new TreeMap<>() : labels(sample.group(2)),
        at.get(),
        MetricFiles.number(sample.group(3)),
        new Source(file, sample.group(1)));
  }

  private static Optional<Instant> stamp(String text) {
    double value = MetricFiles.number(text);
    if (Double.isNaN(value)) {
      return Optional.empty();
    }
    double millis = value >= LEAST_MILLIS ? value : value * MILLIS_PER_SECOND;
    return Optional.of(Instant.ofEpochMilli(Math.round(millis)));
  }

  private static SortedMap<String, String> labels(String text) {
    SortedMap<String, String> labels = new TreeMap<>();
    Matcher label = LABEL.matcher(text);
    while (label.find()) {
      labels.put(label.group(1), label.group(2).replaceAll("\\\\(.)", "$1"));
    }
    return labels;
  }

  private static Optional<Instant> date(String line) {
    Matcher date = DATE.matcher(line);
    if (!date.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ZonedDateTime.parse(
                  date.group(1).trim(),
                  DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
              .toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
