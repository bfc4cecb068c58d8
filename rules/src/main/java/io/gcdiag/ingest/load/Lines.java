package io.gcdiag.ingest.load;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Figures in the lines that load generators print for people. */
final class Lines {

  private static final double MILLIS_PER_SECOND = 1e3;

  /** Requests that no test makes; sums of counts up to this do not overflow. */
  private static final long MOST = 1_000_000_000_000_000L;

  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(us|ms|s|m|h)");

  private Lines() {}

  /** So many milliseconds; what no client waits for is cut to the longest that one may. */
  static Duration millis(double millis) {
    double most = RunRecorder.LONGEST_LATENCY.toMillis();
    return Durations.ofSeconds(Math.min(millis, most) / MILLIS_PER_SECOND);
  }

  /** So many seconds. */
  static Duration seconds(double seconds) {
    return millis(seconds * MILLIS_PER_SECOND);
  }

  /** A time as wrk prints it: {@code 20.87ms}, {@code 706.00us}, {@code 1.30s}, {@code 2.05m}. */
  static Optional<Duration> time(String text) {
    Matcher matcher = TIME.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    double value = Double.parseDouble(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "us" -> millis(value / MILLIS_PER_SECOND);
          case "ms" -> millis(value);
          case "s" -> seconds(value);
          case "m" -> seconds(value * Duration.ofMinutes(1).toSeconds());
          default -> seconds(value * Duration.ofHours(1).toSeconds());
        });
  }

  /** A count that a pattern of digits has matched; one that no test reaches is damage. */
  static long count(String digits) {
    return Table.number(digits).stream().filter(count -> count <= MOST).findFirst().orElse(0);
  }

  /** A figure that a pattern of digits and a dot has matched. */
  static double figure(String digits) {
    return Table.decimal(digits).orElse(0.0);
  }
}
