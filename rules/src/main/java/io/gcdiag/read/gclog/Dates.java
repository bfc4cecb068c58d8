package io.gcdiag.read.gclog;

import io.gcdiag.units.Nanos;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Parses dates of JVMs: {@code 2026-11-21T05:46:33.596+0000}; the offset may also be {@code Z} or
 * contain a colon, and is zero if missing.
 *
 * <p>Every line of a log has a date, and nearly always with the day and the offset of the line
 * before, so these are cached.
 */
final class Dates {

  /** The date up to the whole second: {@code 2026-11-21T05:46:33}. */
  private static final int LENGTH = 19;

  private static final int DAY_LENGTH = 10;
  private static final int MOST_FRACTION = 9;
  private static final int SECONDS_PER_DAY = 86_400;
  private static final long NANOS = 1_000_000_000L;

  private String day = "";
  private long daySeconds;
  private String offset = "";
  private boolean offsetKnown;
  private long offsetSeconds;
  private long second;
  private long nano;

  /** The date in a part of a text; empty if it is none. */
  Optional<Instant> parse(CharSequence text, int from, int to) {
    return read(text, from, to)
        ? Optional.of(Instant.ofEpochSecond(second, nano))
        : Optional.empty();
  }

  /**
   * The same in nanoseconds since 1970; {@link Nanos#NO_TIME} if it is no date, or outside the
   * years 1678 to 2262.
   */
  long nanos(CharSequence text, int from, int to) {
    return read(text, from, to) && Math.abs(second) <= Nanos.MOST_SECONDS
        ? second * NANOS + nano
        : Nanos.NO_TIME;
  }

  private boolean read(CharSequence text, int from, int to) {
    if (to - from < LENGTH || text.charAt(from + DAY_LENGTH) != 'T') {
      return false;
    }
    int end = from + LENGTH;
    while (end < to && isFraction(text.charAt(end))) {
      end++;
    }
    try {
      setDay(text, from);
      setOffset(text, end, to);
      long time = timeOfDay(text, from);
      second = daySeconds + time - offsetSeconds;
      nano = fraction(text, from + LENGTH, end);
      return true;
    } catch (DateTimeException e) {
      day = "";
      offsetKnown = false;
      return false;
    }
  }

  private void setDay(CharSequence text, int from) {
    if (day.isEmpty() || !isAt(day, text, from, from + DAY_LENGTH)) {
      day = "";
      String start = text.subSequence(from, from + DAY_LENGTH).toString();
      daySeconds = LocalDate.parse(start).toEpochDay() * SECONDS_PER_DAY;
      day = start;
    }
  }

  private void setOffset(CharSequence text, int from, int to) {
    if (!offsetKnown || !isAt(offset, text, from, to)) {
      offsetKnown = false;
      offset = text.subSequence(from, to).toString();
      offsetSeconds = offset.isEmpty() ? 0 : ZoneOffset.of(offset).getTotalSeconds();
      offsetKnown = true;
    }
  }

  private static boolean isAt(String word, CharSequence text, int from, int to) {
    if (word.length() != to - from) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) != text.charAt(from + i)) {
        return false;
      }
    }
    return true;
  }

  private static long timeOfDay(CharSequence text, int from) {
    if (text.charAt(from + 13) != ':' || text.charAt(from + 16) != ':') {
      throw new DateTimeException("no time");
    }
    int hours = two(text, from + 11, 23);
    int minutes = two(text, from + 14, 59);
    return (hours * 60L + minutes) * 60 + two(text, from + 17, 59);
  }

  private static int two(CharSequence text, int at, int most) {
    int tens = text.charAt(at) - '0';
    int ones = text.charAt(at + 1) - '0';
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9 || 10 * tens + ones > most) {
      throw new DateTimeException("no number");
    }
    return 10 * tens + ones;
  }

  /** The digits after the decimal point, at least one and at most nine. */
  private static long fraction(CharSequence text, int point, int end) {
    if (end == point) {
      return 0;
    }
    int digits = end - point - 1;
    boolean isPoint = text.charAt(point) == '.' || text.charAt(point) == ',';
    if (!isPoint || digits < 1 || digits > MOST_FRACTION) {
      throw new DateTimeException("no fraction");
    }
    long value = 0;
    for (int i = point + 1; i < end; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw new DateTimeException("no fraction");
      }
      value = 10 * value + (c - '0');
    }
    for (int i = digits; i < MOST_FRACTION; i++) {
      value *= 10;
    }
    return value;
  }

  private static boolean isFraction(char c) {
    return c == '.' || c == ',' || c >= '0' && c <= '9';
  }
}
