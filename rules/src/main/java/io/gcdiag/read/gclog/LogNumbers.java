package io.gcdiag.read.gclog;

import io.gcdiag.units.Nanos;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;

/**
 * Parses the numbers of a log. The decimal point may be a comma, as in some locales. Written
 * without patterns and copies, because a large log has millions of numbers.
 */
public final class LogNumbers {

  /** The result for a text that is no number. */
  public static final long NONE = -1;

  /** Enough for any time or size; a longer run of digits is neither. */
  private static final int MOST_DIGITS = 18;

  private static final long[] POWERS = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
  };

  private static final int SECONDS_TO_NANOS = 9;
  private static final int MILLIS_TO_NANOS = 6;

  private static final long MILLIS_PER_SECOND = 1_000;

  private static final int NO_POINT = -1;

  private LogNumbers() {}

  /** A number of seconds such as {@code 0.0323010}: a part of a text. */
  static Optional<Duration> seconds(CharSequence text, int from, int to) {
    return duration(scaled(text, from, to, SECONDS_TO_NANOS));
  }

  /** A number of milliseconds such as {@code 5.487}. */
  static Optional<Duration> millis(CharSequence text) {
    return millis(text, 0, text.length());
  }

  /** The number of milliseconds that is a part of a text. */
  static Optional<Duration> millis(CharSequence text, int from, int to) {
    return duration(scaled(text, from, to, MILLIS_TO_NANOS));
  }

  /** The whole number of nanoseconds that is a part of a text. */
  static Optional<Duration> nanos(CharSequence text, int from, int to) {
    return duration(scaled(text, from, to, 0));
  }

  /** A part of a text, a number of seconds, in nanoseconds; {@link #NONE} if it is none. */
  static long nanosOfSeconds(CharSequence text, int from, int to) {
    return scaled(text, from, to, SECONDS_TO_NANOS);
  }

  /** A part of a text, a number of milliseconds, in nanoseconds; {@link #NONE} if it is none. */
  static long nanosOfMillis(CharSequence text, int from, int to) {
    return scaled(text, from, to, MILLIS_TO_NANOS);
  }

  /** A part of a text, a number of nanoseconds; {@link #NONE} if it is none. */
  static long wholeNanos(CharSequence text, int from, int to) {
    return scaled(text, from, to, 0);
  }

  /** Milliseconds since 1970 in nanoseconds; {@link #NONE} if it is no number, or beyond 2262. */
  static long epochNanos(CharSequence text, int from, int to) {
    long millis = scaled(text, from, to, 0);
    return millis == NONE || millis / MILLIS_PER_SECOND > Nanos.MOST_SECONDS
        ? NONE
        : millis * POWERS[MILLIS_TO_NANOS];
  }

  private static Optional<Duration> duration(long nanos) {
    return nanos == NONE ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
  }

  /** The number, times a power of ten; {@link #NONE} if it is none. */
  private static long scaled(CharSequence text, int from, int to, int decimals) {
    int point = NO_POINT;
    long value = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '.' || c == ',') {
        if (point != NO_POINT) {
          return NONE;
        }
        point = i;
      } else if (!isDigit(c)) {
        return NONE;
      } else {
        value = 10 * value + (c - '0');
      }
    }
    if (from >= to || point == from || point == to - 1 || to - from > 2 * MOST_DIGITS) {
      return NONE;
    }
    int wholeDigits = point == NO_POINT ? to - from : point - from;
    int fraction = point == NO_POINT ? 0 : to - point - 1;
    return wholeDigits + Math.max(decimals, fraction) > MOST_DIGITS || fraction > decimals
        ? large(text.subSequence(from, to).toString(), decimals)
        : value * POWERS[decimals - fraction];
  }

  /** Numbers with more digits, or fractions of a nanosecond: rare, and parsed exactly. */
  private static long large(String text, int decimals) {
    BigDecimal nanos = new BigDecimal(text.replace(',', '.')).scaleByPowerOfTen(decimals);
    return nanos.precision() - nanos.scale() > MOST_DIGITS
        ? NONE
        : nanos.setScale(0, RoundingMode.HALF_UP).longValueExact();
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
