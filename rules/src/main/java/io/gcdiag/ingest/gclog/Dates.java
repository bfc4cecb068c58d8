package io.gcdiag.ingest.gclog;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Dates as JVMs write them: {@code 2026-11-21T05:46:33.596+0000}; the offset may also be {@code Z}
 * or have a colon, and is taken for zero if missing.
 *
 * <p>Every line of a log has one, and of nearly all of them the day and the offset are those of the
 * line before: these are worked out once.
 */
final class Dates {

  /** The date up to the whole second: {@code 2026-11-21T05:46:33}. */
  private static final int LENGTH = 19;

  private static final int DAY_LENGTH = 10;
  private static final int MOST_FRACTION = 9;
  private static final int SECONDS_PER_DAY = 86_400;

  private String day = "";
  private long daySeconds;
  private String offset = "";
  private long offsetSeconds;

  /** The date that is all of the text; empty if it is none. */
  Optional<Instant> parse(String text) {
    if (text.length() < LENGTH || text.charAt(DAY_LENGTH) != 'T') {
      return Optional.empty();
    }
    int end = LENGTH;
    while (end < text.length() && isFraction(text.charAt(end))) {
      end++;
    }
    try {
      setDay(text);
      setOffset(text, end);
      long time = timeOfDay(text);
      long seconds = daySeconds + time - offsetSeconds;
      return Optional.of(Instant.ofEpochSecond(seconds, nanos(text, end)));
    } catch (DateTimeException e) {
      day = "";
      offset = "";
      return Optional.empty();
    }
  }

  private void setDay(String text) {
    if (day.isEmpty() || !text.startsWith(day)) {
      day = "";
      String start = text.substring(0, DAY_LENGTH);
      daySeconds = LocalDate.parse(start).toEpochDay() * SECONDS_PER_DAY;
      day = start;
    }
  }

  private void setOffset(String text, int from) {
    if (offset.isEmpty() || offset.length() != text.length() - from || !text.endsWith(offset)) {
      offset = text.substring(from);
      offsetSeconds = offset.isEmpty() ? 0 : ZoneOffset.of(offset).getTotalSeconds();
    }
  }

  private static long timeOfDay(String text) {
    if (text.charAt(13) != ':' || text.charAt(16) != ':') {
      throw new DateTimeException("no time");
    }
    return LocalTime.of(two(text, 11), two(text, 14), two(text, 17)).toSecondOfDay();
  }

  private static int two(String text, int at) {
    int tens = text.charAt(at) - '0';
    int ones = text.charAt(at + 1) - '0';
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9) {
      throw new DateTimeException("no number");
    }
    return 10 * tens + ones;
  }

  /** The digits behind the point, of which there are at least one and at most nine. */
  private static long nanos(String text, int end) {
    if (end == LENGTH) {
      return 0;
    }
    int digits = end - LENGTH - 1;
    boolean point = text.charAt(LENGTH) == '.' || text.charAt(LENGTH) == ',';
    if (!point || digits < 1 || digits > MOST_FRACTION) {
      throw new DateTimeException("no fraction");
    }
    long value = 0;
    for (int i = LENGTH + 1; i < end; i++) {
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
