package io.gcdiag.ingest.load;

import java.io.IOException;
import java.io.Reader;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads what {@code k6 run --out csv=FILE} writes: a row for every sample. */
final class K6Csv {

  private static final String METRIC = "metric_name";
  private static final String TIME = "timestamp";
  private static final String VALUE = "metric_value";
  private static final String EXPECTED = "expected_response";
  private static final String STATUS = "status";
  private static final String METHOD = "method";

  /** The address of the request, unless the test gives it another name. */
  private static final String NAME = "name";

  /** Digits of a stamp of this century in seconds, milliseconds and microseconds. */
  private static final int SECOND_DIGITS = 11;

  private static final int MILLI_DIGITS = 14;
  private static final int MICRO_DIGITS = 17;

  private K6Csv() {}

  /** Whether this is the first line of such a file. */
  static boolean isFirstLine(String line) {
    return line.startsWith(METRIC + "," + TIME + "," + VALUE);
  }

  static LoadRun read(Reader rows, LoadText text, String file) throws IOException {
    return read(new Table(rows, text, ','), text, file);
  }

  private static LoadRun read(Table table, LoadText text, String file) throws IOException {
    if (!table.next()) {
      throw new IOException("no header");
    }
    List<String> header = Arrays.asList(table.row());
    int metric = header.indexOf(METRIC);
    int time = header.indexOf(TIME);
    int value = header.indexOf(VALUE);
    int expected = header.indexOf(EXPECTED);
    int status = header.indexOf(STATUS);
    int method = header.indexOf(METHOD);
    int name = header.indexOf(NAME);
    Optional<K6Requests> requests = Optional.empty();
    while (table.next()) {
      if (!K6Requests.uses(table.value(metric))) {
        continue;
      }
      Optional<Instant> at = instant(table.value(time));
      Optional<Double> number = Table.decimal(table.value(value));
      if (at.isEmpty() || number.isEmpty()) {
        text.damaged();
        continue;
      }
      if (requests.isEmpty()) {
        requests = Optional.of(new K6Requests(text, isWholeSecond(table.value(time))));
      }
      requests
          .get()
          .add(
              new K6Sample(
                  table.value(metric),
                  at.get(),
                  number.get(),
                  table.value(expected),
                  table.value(status),
                  EndpointRecorder.name(table.value(method), table.value(name))));
    }
    return requests.orElseGet(() -> new K6Requests(text, false)).run(file);
  }

  /** The formats of {@code K6_CSV_TIME_FORMAT}. */
  private static Optional<Instant> instant(String stamp) {
    OptionalLong number = Table.number(stamp);
    if (number.isPresent()) {
      return Optional.of(Instant.EPOCH.plus(number.getAsLong(), unit(stamp.length())));
    }
    try {
      return Optional.of(OffsetDateTime.parse(stamp).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static ChronoUnit unit(int digits) {
    if (digits <= SECOND_DIGITS) {
      return ChronoUnit.SECONDS;
    }
    if (digits <= MILLI_DIGITS) {
      return ChronoUnit.MILLIS;
    }
    return digits <= MICRO_DIGITS ? ChronoUnit.MICROS : ChronoUnit.NANOS;
  }

  private static boolean isWholeSecond(String stamp) {
    boolean date = stamp.contains("T");
    return date ? !stamp.contains(".") : stamp.length() <= SECOND_DIGITS;
  }
}
