package io.gcdiag.units;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write and read them: {@code 4.32ms}, {@code 250us}, {@code 1.5s}, {@code 2m},
 * {@code 1h}, or ISO-8601 ({@code PT1.5S}).
 */
public final class Durations {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long NANOS_PER_WHOLE_SECOND = 1_000_000_000L;

  /** For rates and slopes by the minute. */
  public static final long SECONDS_PER_MINUTE = 60;

  private static final long SECONDS_PER_HOUR = 3600;

  /** What rounds to 1.00 of the larger unit is printed in it. */
  private static final Duration PRINTED_AS_SECONDS = Duration.ofNanos(999_500_000);

  private static final Duration PRINTED_AS_MILLIS = Duration.ofNanos(999_500);

  /** From here on minutes say more than seconds. */
  private static final long MINUTES_FROM_SECONDS = 120;

  private static final Pattern TEXT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-zA-Zµ]+)");

  private static final Map<String, Long> UNIT_NANOS =
      Map.of(
          "ns",
          1L,
          "us",
          NANOS_PER_MICRO,
          "µs",
          NANOS_PER_MICRO,
          "ms",
          NANOS_PER_MILLI,
          "s",
          NANOS_PER_WHOLE_SECOND,
          "m",
          SECONDS_PER_MINUTE * NANOS_PER_WHOLE_SECOND,
          "min",
          SECONDS_PER_MINUTE * NANOS_PER_WHOLE_SECOND,
          "h",
          SECONDS_PER_HOUR * NANOS_PER_WHOLE_SECOND);

  private Durations() {}

  /**
   * Reads a duration; it must name its unit.
   *
   * @throws IllegalArgumentException if the text is not a duration or has no unit
   */
  public static Duration parse(String text) {
    String trimmed = text.trim();
    Matcher matcher = TEXT.matcher(trimmed);
    if (matcher.matches()) {
      Long unit = UNIT_NANOS.get(matcher.group(2).toLowerCase(Locale.ROOT));
      if (unit != null) {
        return fromNanos(text, new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit)));
      }
    }
    if (trimmed.regionMatches(true, 0, "P", 0, 1)) {
      try {
        Duration duration = Duration.parse(trimmed);
        if (!duration.isNegative()) {
          return duration;
        }
      } catch (DateTimeParseException e) {
        throw notADuration(text);
      }
    }
    if (trimmed.matches("\\d+(\\.\\d+)?")) {
      throw new IllegalArgumentException(
          "'" + text + "' has no unit; write it like " + trimmed + "ms or " + trimmed + "s");
    }
    throw notADuration(text);
  }

  /** A duration of so many seconds, rounded to whole nanoseconds. */
  public static Duration ofSeconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * NANOS_PER_SECOND));
  }

  /** So many seconds for people, as {@link #format(Duration)} writes them. */
  public static String format(double seconds) {
    return format(ofSeconds(seconds));
  }

  public static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS_PER_SECOND;
  }

  /** The duration in milliseconds, with fractions. */
  public static double millis(Duration duration) {
    return seconds(duration) * 1e3;
  }

  /**
   * For people, with about three digits: {@code 31 ms}, {@code 1.25 s}, {@code 4 min 10 s}, {@code
   * 250 us}.
   */
  public static String format(Duration duration) {
    if (duration.isNegative()) {
      return "-" + format(duration.negated());
    }
    double seconds = seconds(duration);
    if (seconds >= MINUTES_FROM_SECONDS) {
      return minutes(Math.round(seconds));
    }
    if (duration.compareTo(PRINTED_AS_SECONDS) >= 0) {
      return Numbers.threeDigits(seconds) + " s";
    }
    if (duration.compareTo(PRINTED_AS_MILLIS) >= 0) {
      return Numbers.threeDigits(seconds * 1e3) + " ms";
    }
    return duration.isZero() ? "0 ms" : Numbers.threeDigits(seconds * 1e6) + " us";
  }

  /** Whether a zero is printed. */
  public static boolean isNothing(Duration duration) {
    return Numbers.isNothing(seconds(duration) * 1e6);
  }

  private static String minutes(long seconds) {
    long hours = seconds / SECONDS_PER_HOUR;
    long minutes = seconds % SECONDS_PER_HOUR / SECONDS_PER_MINUTE;
    long rest = seconds % SECONDS_PER_MINUTE;
    StringBuilder text = new StringBuilder();
    if (hours > 0) {
      text.append(hours).append(" h ");
    }
    text.append(minutes).append(" min");
    if (rest > 0 && hours == 0) {
      text.append(' ').append(rest).append(" s");
    }
    return text.toString();
  }

  private static Duration fromNanos(String text, BigDecimal nanos) {
    try {
      return Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_UP).longValueExact());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is too long a time", e);
    }
  }

  private static IllegalArgumentException notADuration(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is not a duration; write it like 4.32ms, 250us, 1.5s or 2m");
  }
}
