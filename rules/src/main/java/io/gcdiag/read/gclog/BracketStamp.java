package io.gcdiag.read.gclog;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The text before a record of JDK 8 or earlier: date, GC number ({@code PrintGCID}, before or after
 * the uptime) and uptime, each only if it is printed.
 *
 * <pre>
 * 2020-03-25T16:16:18.390+0800: 1294233.934: #12: [GC ...
 * </pre>
 *
 * @param stamp date and uptime
 * @param end where it ends in the text
 */
record BracketStamp(LogStamp stamp, OptionalLong gcId, int end) {

  private static final int LONGEST = 80;

  private static final int DATE_MARK = 10;
  private static final int MOST_ID_DIGITS = 9;
  private static final int MOST_UPTIME_DIGITS = 12;
  private static final int DECIMALS = 3;
  private static final int OFFSET_DIGITS = 4;

  /** The timestamp that begins there, as far as it exists. */
  static BracketStamp at(CharSequence text, int from, int to, Dates dates) {
    int at = from;
    Optional<Instant> date = Optional.empty();
    int dateEnd = dateEnd(text, from, to);
    if (dateEnd > 0 && isColon(text, dateEnd, to)) {
      date = dates.parse(text, from, dateEnd);
      at = separated(text, dateEnd, to);
    }
    int first = at;
    at = idEnd(text, at, to);
    int uptime = at;
    at = uptimeEnd(text, at, to);
    Optional<Duration> seconds =
        at > uptime
            ? LogNumbers.seconds(text, uptime, numberEnd(text, uptime, to))
            : Optional.empty();
    int id = uptime > first ? first : at;
    at = idEnd(text, at, to);
    return new BracketStamp(new LogStamp(date, seconds), number(text, id, at), at);
  }

  /** The timestamp that ends there; nearly always it also begins the line. */
  static BracketStamp before(CharSequence text, int start, int end, Dates dates) {
    for (int from = Math.max(start, end - LONGEST); from < end; from++) {
      char c = text.charAt(from);
      if (c == '#' || LogNumbers.isDigit(c)) {
        BracketStamp stamp = at(text, from, end, dates);
        if (stamp.end() == end) {
          return stamp;
        }
      }
    }
    return new BracketStamp(LogStamp.NONE, OptionalLong.empty(), end);
  }

  /** End of the date that begins there, which must have a zone; -1 if there is none. */
  private static int dateEnd(CharSequence text, int from, int to) {
    if (from + DATE_MARK >= to || text.charAt(from + DATE_MARK) != 'T') {
      return -1;
    }
    int at = from + DATE_MARK + 1;
    while (at < to
        && (LogNumbers.isDigit(text.charAt(at)) || ":.,".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    if (at < to && text.charAt(at) == 'Z') {
      return at + 1;
    }
    boolean signed = at < to && (text.charAt(at) == '+' || text.charAt(at) == '-');
    return signed && digitsEnd(text, at + 1, to) >= at + 1 + OFFSET_DIGITS
        ? at + 1 + OFFSET_DIGITS
        : -1;
  }

  private static int idEnd(CharSequence text, int from, int to) {
    if (from >= to || text.charAt(from) != '#') {
      return from;
    }
    int end = digitsEnd(text, from + 1, to);
    boolean number = end > from + 1 && end - from - 1 <= MOST_ID_DIGITS;
    return number && isColon(text, end, to) ? separated(text, end, to) : from;
  }

  private static int uptimeEnd(CharSequence text, int from, int to) {
    int end = numberEnd(text, from, to);
    return end > from && isColon(text, end, to) ? separated(text, end, to) : from;
  }

  /** End of the number with three decimals that begins there; its start if there is none. */
  private static int numberEnd(CharSequence text, int from, int to) {
    int point = digitsEnd(text, from, to);
    boolean whole = point > from && point - from <= MOST_UPTIME_DIGITS && point < to;
    if (!whole || text.charAt(point) != '.' && text.charAt(point) != ',') {
      return from;
    }
    int end = digitsEnd(text, point + 1, to);
    return end - point - 1 == DECIMALS ? end : from;
  }

  private static int digitsEnd(CharSequence text, int from, int to) {
    int end = from;
    while (end < to && LogNumbers.isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isColon(CharSequence text, int at, int to) {
    return at < to && text.charAt(at) == ':';
  }

  /** The position after the colon there, and after a blank if one follows. */
  private static int separated(CharSequence text, int at, int to) {
    return at + 1 < to && text.charAt(at + 1) == ' ' ? at + 2 : at + 1;
  }

  /** The number after {@code #}, if there is one. */
  private static OptionalLong number(CharSequence text, int from, int to) {
    if (from >= to || text.charAt(from) != '#') {
      return OptionalLong.empty();
    }
    long value = 0;
    for (int i = from + 1; LogNumbers.isDigit(text.charAt(i)); i++) {
      value = 10 * value + (text.charAt(i) - '0');
    }
    return OptionalLong.of(value);
  }
}
