package io.gcdiag.read.metrics;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A time in a table.
 *
 * @param at when; without a zone, as if it were UTC
 * @param zoned whether the text states its zone or counts from the epoch
 */
record TableTime(Instant at, boolean zoned) {

  private static final Pattern NUMBER = Pattern.compile("\\d{9,19}(?:\\.\\d{1,9})?");

  /**
   * Seconds, milliseconds, microseconds or nanoseconds, recognised by size: the years 2001 to 2286.
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
