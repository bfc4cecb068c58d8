package io.gcdiag.read.gclog;

import io.gcdiag.read.bytes.Line;
import io.gcdiag.units.Nanos;

/**
 * The decorations of one line as numbers. In a log without details nearly every line is a pause, so
 * its timestamp is passed to the pause without creating an object. Use one per log; it holds the
 * line that was read last.
 */
final class LineStamp {

  /** Milliseconds with twelve digits: as a date from 1973 on, as an uptime three years. */
  private static final int EPOCH_DIGITS = 12;

  private static final String START = ",start";

  private final Dates dates;
  private long date;
  private long epoch;
  private long seconds;
  private long millis;
  private long nanos;
  private int tags;
  private int tagsEnd;

  LineStamp(Dates dates) {
    this.dates = dates;
    clear();
  }

  /** Clears it for a line without decorations. */
  void clear() {
    date = Nanos.NO_TIME;
    epoch = Nanos.NO_TIME;
    seconds = Nanos.NO_TIME;
    millis = Nanos.NO_TIME;
    nanos = Nanos.NO_TIME;
    tags = 0;
    tagsEnd = 0;
  }

  /**
   * Reads the decorations of a line.
   *
   * @param message result of {@link Decorations#messageStart}; negative if there are none
   */
  void read(Line line, int message) {
    clear();
    int at = message < 0 ? -1 : line.indexOf('[', 0);
    while (at >= 0 && at < message) {
      int close = line.indexOf(']', at);
      int from = at + 1;
      int to = Decorations.trimmed(line, from, Math.max(from, close));
      if (from == to || !LogNumbers.isDigit(line.charAt(from))) {
        tags = from;
        tagsEnd = to;
      } else if (line.charAt(to - 1) != 's') {
        date = date != Nanos.NO_TIME ? date : dates.nanos(line, from, to);
      } else {
        number(line, from, to);
      }
      at = close < 0 ? -1 : line.indexOf('[', close);
    }
  }

  private void number(Line line, int from, int to) {
    char unit = line.charAt(to - 2);
    if (unit == 'm' && to - 2 - from >= EPOCH_DIGITS) {
      epoch = time(LogNumbers.epochNanos(line, from, to - 2));
    } else if (unit == 'm') {
      millis = time(LogNumbers.nanosOfMillis(line, from, to - 2));
    } else if (unit == 'n') {
      nanos = time(LogNumbers.wholeNanos(line, from, to - 2));
    } else {
      seconds = time(LogNumbers.nanosOfSeconds(line, from, to - 1));
    }
  }

  private static long time(long figure) {
    return figure == LogNumbers.NONE ? Nanos.NO_TIME : figure;
  }

  /** The wall clock in nanoseconds since 1970, or {@link Nanos#NO_TIME}. */
  long wallClock() {
    return date != Nanos.NO_TIME ? date : epoch;
  }

  /** The uptime in nanoseconds, or {@link Nanos#NO_TIME}. */
  long uptime() {
    if (seconds != Nanos.NO_TIME) {
      return seconds;
    }
    return millis != Nanos.NO_TIME ? millis : nanos;
  }

  /** Of a line without any time: that in front of it. */
  void otherwise(long wallClock) {
    date = wallClock() == Nanos.NO_TIME && uptime() == Nanos.NO_TIME ? wallClock : date;
  }

  long wallClockBefore(long nanosBefore) {
    return wallClock() == Nanos.NO_TIME ? Nanos.NO_TIME : wallClock() - nanosBefore;
  }

  /** The uptime minus a time; see {@link LogStamp#minus}. */
  long uptimeBefore(long nanosBefore) {
    return uptime() == Nanos.NO_TIME ? Nanos.NO_TIME : Math.max(0, uptime() - nanosBefore);
  }

  /** Whether the tags, if there are any, mark the start of something. */
  boolean isStart(Line line) {
    return tags == tagsEnd
        || tagsEnd - tags >= START.length() && line.startsWith(START, tagsEnd - START.length());
  }

  /** The tags, such as {@code gc,start}; empty if the line has none. */
  String tags(Line line) {
    return line.substring(tags, tagsEnd);
  }

  /** Both times as an object. */
  LogStamp stamp() {
    return LogStamp.of(wallClock(), uptime());
  }
}
