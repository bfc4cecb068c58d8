package io.gcdiag.read.load;

import io.gcdiag.read.bytes.Line;
import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * The time of a line in an access log: {@code 29/Nov/2026:08:36:33 +0000} of the common log format
 * ({@code 2026/Nov/29} of Grizzly), ISO 8601, or seconds, milliseconds or microseconds since 1970.
 * Read digit by digit, because a log has millions.
 */
final class AccessTime {

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int NANO_DIGITS = 9;
  private static final int HOUR_SECONDS = 3600;
  private static final int MINUTE_SECONDS = 60;
  private static final int DAY_SECONDS = 86_400;
  private static final long NANOS = 1_000_000_000L;

  /** Digits of this century's times since 1970: seconds; three more are milliseconds and so on. */
  private static final int EPOCH_DIGITS = 10;

  private Line text = new Line();
  private int at;
  private int end;
  private boolean bad;

  private int cachedDate;
  private long cachedDay;

  /**
   * {@code 29/Nov/2026:08:36:33 +0000}: of the lines that follow each other, most have the same.
   */
  private final byte[] lastText = new byte[26];

  private long lastSecond;

  private long second;
  private int nano;
  private boolean whole;

  /** Seconds since 1970 of the time that was read last. */
  long second() {
    return second;
  }

  int nano() {
    return nano;
  }

  /** Whether it has no fraction of a second. */
  boolean isWhole() {
    return whole;
  }

  /** Reads the time that begins there; false if there is none. */
  boolean read(Line from, int start, int stop) {
    text = from;
    at = start;
    end = stop;
    bad = false;
    nano = 0;
    whole = true;
    if (at < end && text.charAt(at) == '[') {
      at++;
    }
    if (at + 4 >= end) {
      return false;
    }
    if (text.charAt(at + 2) == '/' || text.charAt(at + 4) == '/') {
      return common();
    }
    return text.charAt(at + 4) == '-' ? iso() : sinceEpoch();
  }

  private boolean common() {
    if (at + lastText.length <= end && text.startsWith(lastText, at)) {
      second = lastSecond;
      return true;
    }
    int begin = at;
    boolean read = commonAnew();
    if (read && whole && at - begin == lastText.length) {
      text.copyTo(lastText, begin, lastText.length);
      lastSecond = second;
    }
    return read;
  }

  private boolean commonAnew() {
    boolean yearFirst = text.charAt(at + 4) == '/';
    int first = digits(yearFirst ? 4 : 2);
    skip('/');
    int month = month();
    skip('/');
    int last = digits(yearFirst ? 2 : 4);
    skip(':');
    return yearFirst ? time(first, month, last) : time(last, month, first);
  }

  private int month() {
    for (int month = 0; at + 3 <= end && month < MONTHS.length(); month += 3) {
      if (text.charAt(at) == MONTHS.charAt(month)
          && text.charAt(at + 1) == MONTHS.charAt(month + 1)
          && text.charAt(at + 2) == MONTHS.charAt(month + 2)) {
        at += 3;
        return month / 3 + 1;
      }
    }
    bad = true;
    return 1;
  }

  private boolean iso() {
    int year = digits(4);
    skip('-');
    int month = digits(2);
    skip('-');
    int day = digits(2);
    char between = at < end ? text.charAt(at) : '-';
    if (between == 'T' || between == ' ' || between == '\t') {
      at++;
    } else {
      bad = true;
    }
    return time(year, month, day);
  }

  private boolean time(int year, int month, int day) {
    int hour = digits(2);
    skip(':');
    int minute = digits(2);
    skip(':');
    int seconds = digits(2);
    if (bad || hour > 23 || minute > 59 || seconds > 60) {
      return false;
    }
    fraction();
    int date = (year * 16 + month) * 32 + day;
    if (date != cachedDate) {
      try {
        cachedDay = LocalDate.of(year, month, day).toEpochDay();
        cachedDate = date;
      } catch (DateTimeException e) {
        return false;
      }
    }
    second =
        cachedDay * DAY_SECONDS + hour * HOUR_SECONDS + minute * MINUTE_SECONDS + seconds - zone();
    return !bad;
  }

  private void fraction() {
    if (at + 1 >= end || text.charAt(at) != '.' && text.charAt(at) != ',' || !isDigit(at + 1)) {
      return;
    }
    at++;
    whole = false;
    int digits = 0;
    while (at < end && isDigit(at)) {
      if (digits < NANO_DIGITS) {
        nano = nano * 10 + text.charAt(at) - '0';
        digits++;
      }
      at++;
    }
    for (; digits < NANO_DIGITS; digits++) {
      nano *= 10;
    }
  }

  /** The offset from UTC in seconds. */
  private int zone() {
    if (at < end && text.charAt(at) == ' ') {
      at++;
    }
    if (at >= end) {
      return 0;
    }
    char sign = text.charAt(at);
    if (sign == 'Z') {
      return 0;
    }
    if (sign != '+' && sign != '-' || at + 5 > end || !isDigit(at + 1) || !isDigit(at + 2)) {
      return 0;
    }
    at++;
    int hours = digits(2);
    if (at < end && text.charAt(at) == ':') {
      at++;
    }
    int minutes = digits(2);
    int offset = hours * HOUR_SECONDS + minutes * MINUTE_SECONDS;
    return sign == '-' ? -offset : offset;
  }

  private boolean sinceEpoch() {
    long value = 0;
    int digits = 0;
    while (at < end && isDigit(at) && digits <= EPOCH_DIGITS + NANO_DIGITS) {
      value = value * 10 + text.charAt(at++) - '0';
      digits++;
    }
    int more = digits - EPOCH_DIGITS;
    if (more != 0 && more != 3 && more != 6 && more != NANO_DIGITS) {
      return false;
    }
    if (more == 0) {
      second = value;
      fraction();
      return at == end || !isDigit(at);
    }
    long parts = 1;
    for (int i = 0; i < more; i++) {
      parts *= 10;
    }
    second = value / parts;
    nano = (int) (value % parts * (NANOS / parts));
    whole = false;
    return true;
  }

  private int digits(int count) {
    int value = 0;
    for (int i = 0; i < count; i++, at++) {
      if (at >= end || !isDigit(at)) {
        bad = true;
        return 0;
      }
      value = value * 10 + text.charAt(at) - '0';
    }
    return value;
  }

  private void skip(char expected) {
    if (at < end && text.charAt(at) == expected) {
      at++;
    } else {
      bad = true;
    }
  }

  private boolean isDigit(int index) {
    return index < end && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }
}
