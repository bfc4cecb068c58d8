package io.gcdiag.read.load;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Figures in the lines that load generators print for people. */
final class LoadFigures {

  private static final double MILLIS_PER_SECOND = 1e3;

  /** Limit that no test reaches, so that sums of counts do not overflow. */
  private static final long MOST = 1_000_000_000_000_000L;

  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|[µμ]s|ms|s|m|h)");

  /** A number of milliseconds, limited to the longest plausible latency. */
  static Duration millis(double millis) {
    double most = RunRecorder.LONGEST_LATENCY.toMillis();
    return Durations.ofSeconds(Math.min(millis, most) / MILLIS_PER_SECOND);
  }

  static Duration seconds(double seconds) {
    return millis(seconds * MILLIS_PER_SECOND);
  }

  /**
   * A time as wrk and k6 print it: {@code 20.87ms}, {@code 706.00us}, {@code 2.05m}, {@code 1m2s}.
   */
  static Optional<Duration> time(String text) {
    Matcher part = TIME.matcher(text.strip());
    double millis = 0;
    int end = 0;
    while (part.lookingAt()) {
      millis += LoadFigures.figure(part.group(1)) * millisPer(part.group(2));
      end = part.end();
      part.region(end, part.regionEnd());
    }
    return end > 0 && end == part.regionEnd() ? Optional.of(millis(millis)) : Optional.empty();
  }

  private static double millisPer(String unit) {
    return switch (unit) {
      case "ns" -> 1 / (MILLIS_PER_SECOND * MILLIS_PER_SECOND);
      case "ms" -> 1;
      case "s" -> MILLIS_PER_SECOND;
      case "m" -> Duration.ofMinutes(1).toMillis();
      case "h" -> Duration.ofHours(1).toMillis();
      default -> 1 / MILLIS_PER_SECOND;
    };
  }

  /** A count that matched a pattern of digits; an implausible one is damage. */
  static long count(String digits) {
    return Table.number(digits).stream().filter(count -> count <= MOST).findFirst().orElse(0);
  }

  /** A figure that a pattern of digits and a dot has matched. */
  static double figure(String digits) {
    return Table.decimal(digits).orElse(0.0);
  }
}
