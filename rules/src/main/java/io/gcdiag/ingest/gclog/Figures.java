package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.HeapChange;
import io.gcdiag.units.Bytes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numbers of a log as quantities. Decimal points may be commas, as in some locales. */
final class Figures {

  /** Enough for any time or size; a longer run of digits is not one. */
  private static final int MOST_DIGITS = 18;

  private static final int SECONDS_TO_NANOS = 9;
  private static final int MILLIS_TO_NANOS = 6;

  /** The date up to the whole second: {@code 2026-11-21T05:46:33}. */
  private static final int DATE_LENGTH = 19;

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
    return whole && digits.chars().allMatch(Character::isDigit)
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
        && Character.isDigit(text.charAt(0))
        && Character.isDigit(text.charAt(text.length() - 1));
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
    return Bytes.of(Math.round(Double.parseDouble(digits.replace(',', '.')) * unit));
  }

  /** The text as one change of a heap; nothing may stand before or after it. */
  static Optional<HeapChange> heap(String text) {
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

  /**
   * A date as JVMs write it: {@code 2026-11-21T05:46:33.596+0000}; the offset may also be {@code Z}
   * or have a colon, and is taken for zero if missing.
   */
  static Optional<Instant> date(String text) {
    if (text.length() < DATE_LENGTH || text.charAt(10) != 'T') {
      return Optional.empty();
    }
    int offset = DATE_LENGTH;
    while (offset < text.length() && isFraction(text.charAt(offset))) {
      offset++;
    }
    try {
      String fraction = text.substring(DATE_LENGTH, offset).replace(',', '.');
      LocalDateTime local = LocalDateTime.parse(text.substring(0, DATE_LENGTH) + fraction);
      String zone = text.substring(offset);
      return Optional.of(local.toInstant(zone.isEmpty() ? ZoneOffset.UTC : ZoneOffset.of(zone)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static boolean isFraction(char c) {
    return c == '.' || c == ',' || c >= '0' && c <= '9';
  }
}
