package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.HeapChange;
import io.gcdiag.units.Bytes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numbers of a log as quantities. Decimal points may be commas, as in some locales. */
final class Figures {

  /** Enough for any time or size; a longer run of digits is not one. */
  private static final int MOST_DIGITS = 18;

  private static final long[] POWERS = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
  };

  /** A pebibyte, far beyond any heap. */
  private static final long LARGEST_SIZE = 1L << 50;

  private static final int SECONDS_TO_NANOS = 9;
  private static final int MILLIS_TO_NANOS = 6;

  /**
   * {@code 202M->180M(256M)}, {@code 16384K(18944K)->2553K(18944K)}, {@code 10.5K->0.0B(64.0M)}.
   */
  static final String HEAP =
      "(\\d{1,15}(?:[.,]\\d+)?)([BKMG])(?:\\(\\d+(?:[.,]\\d+)?[BKMG]\\))?"
          + "->(\\d{1,15}(?:[.,]\\d+)?)([BKMG])\\((\\d{1,15}(?:[.,]\\d+)?)([BKMG])\\)";

  private static final Pattern HEAP_PATTERN = Pattern.compile(HEAP);

  private Figures() {}

  /** A number of seconds such as {@code 0.0323010}. */
  static Optional<Duration> seconds(String text) {
    return scaled(text, SECONDS_TO_NANOS);
  }

  /** A number of milliseconds such as {@code 5.487}. */
  static Optional<Duration> millis(String text) {
    return scaled(text, MILLIS_TO_NANOS);
  }

  /** A whole number of milliseconds since 1970. */
  static Optional<Instant> epochMillis(String digits) {
    boolean whole = isNumber(digits) && digits.length() <= MOST_DIGITS;
    return whole && digits.chars().allMatch(c -> isDigit((char) c))
        ? Optional.of(Instant.ofEpochMilli(Long.parseLong(digits)))
        : Optional.empty();
  }

  /** A whole number of nanoseconds. */
  static Optional<Duration> nanos(String text) {
    return scaled(text, 0);
  }

  private static Optional<Duration> scaled(String text, int decimals) {
    if (!isNumber(text)) {
      return Optional.empty();
    }
    int point = Math.max(text.indexOf('.'), text.indexOf(','));
    int wholeDigits = point < 0 ? text.length() : point;
    int fraction = point < 0 ? 0 : text.length() - point - 1;
    if (wholeDigits + Math.max(decimals, fraction) > MOST_DIGITS || fraction > decimals) {
      return large(text, decimals);
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      if (i != point) {
        value = 10 * value + (text.charAt(i) - '0');
      }
    }
    return Optional.of(Duration.ofNanos(value * POWERS[decimals - fraction]));
  }

  /** More digits than fit, or parts of a nanosecond: rare, and exact all the same. */
  private static Optional<Duration> large(String text, int decimals) {
    BigDecimal nanos = new BigDecimal(text.replace(',', '.')).scaleByPowerOfTen(decimals);
    if (nanos.precision() - nanos.scale() > MOST_DIGITS) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_UP).longValueExact()));
  }

  /** Digits with at most one point or comma between them. */
  private static boolean isNumber(String text) {
    int points = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.' || c == ',') {
        points++;
      } else if (c < '0' || c > '9') {
        return false;
      }
    }
    return !text.isEmpty()
        && text.length() <= 2 * MOST_DIGITS
        && points <= 1
        && isDigit(text.charAt(0))
        && isDigit(text.charAt(text.length() - 1));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** A size such as {@code 202M} from its digits and its letter. */
  static Bytes size(String digits, String letter) {
    long unit =
        switch (letter) {
          case "K" -> 1L << 10;
          case "M" -> 1L << 20;
          case "G" -> 1L << 30;
          default -> 1L;
        };
    // Whole numbers, which most are, need no floating point.
    return digits.indexOf('.') < 0 && digits.indexOf(',') < 0
        ? Bytes.of(Math.min(Long.parseLong(digits), LARGEST_SIZE / unit) * unit)
        : Bytes.of(
            Math.min(
                Math.round(Double.parseDouble(digits.replace(',', '.')) * unit), LARGEST_SIZE));
  }

  /** The text as one change of a heap; nothing may stand before or after it. */
  static Optional<HeapChange> heap(String text) {
    // Most of what is asked about is no size at all.
    if (text.isEmpty() || !isDigit(text.charAt(0)) || !text.contains("->")) {
      return Optional.empty();
    }
    Matcher matcher = HEAP_PATTERN.matcher(text);
    return matcher.matches() ? Optional.of(heap(matcher, 1)) : Optional.empty();
  }

  /** The change of a heap from the six groups of {@link #HEAP}. */
  static HeapChange heap(Matcher matcher, int group) {
    return new HeapChange(
        size(matcher.group(group), matcher.group(group + 1)),
        size(matcher.group(group + 2), matcher.group(group + 3)),
        size(matcher.group(group + 4), matcher.group(group + 5)));
  }
}
