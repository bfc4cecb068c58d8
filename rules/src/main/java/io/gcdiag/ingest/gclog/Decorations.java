package io.gcdiag.ingest.gclog;

import io.gcdiag.ingest.text.Line;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The brackets in front of a message of a unified log, and where the message begins.
 *
 * <pre>
 * [2026-11-21T05:46:33.665+0000][0.082s][info][gc,start    ] GC(0) Pause Young (Normal)
 * [61ms][info][gc] ...           uptimemillis
 * </pre>
 *
 * <p>Text in front of the brackets (a container runtime's own stamp, a service's name) is passed
 * over. Which bracket is which is told by its content alone, because the decorations are the user's
 * choice: a number with {@code s} is the uptime; one with {@code ms} is the uptime, or the time
 * since 1970 if it is too large; one with {@code ns} is taken for the uptime only if there is no
 * other.
 *
 * @param stamp the time of the line
 * @param tags the tags, such as {@code gc,start}; empty if the log has none
 * @param message where the message begins in the line
 */
record Decorations(LogStamp stamp, String tags, int message) {

  private static final List<String> LEVELS = List.of("info", "debug", "trace", "warning", "error");

  /** Milliseconds with twelve digits: as a date from 1973 on, as an uptime three years. */
  private static final int EPOCH_DIGITS = 12;

  /** A date is at least so long, and has its T there. */
  private static final int DATE_LENGTH = 19;

  private static final int DATE_MARK = 10;

  /**
   * Where the message begins, or -1 if the line has no decorations. Does no more than look at the
   * characters, because it is asked of every line.
   */
  static int messageStart(Line line) {
    int from = line.indexOf('[', 0);
    while (from >= 0) {
      boolean known = false;
      int at = from;
      while (at < line.length() && line.charAt(at) == '[') {
        int end = line.indexOf(']', at);
        if (end < 0) {
          return -1;
        }
        known = known || isDecoration(line, at + 1, end);
        at = end + 1;
      }
      if (known) {
        while (at < line.length() && line.charAt(at) == ' ') {
          at++;
        }
        return at;
      }
      from = line.indexOf('[', at);
    }
    return -1;
  }

  private static boolean isDecoration(Line line, int from, int to) {
    if (from >= to) {
      return false;
    }
    if (Figures.isDigit(line.charAt(from))) {
      return line.charAt(to - 1) == 's' && isStampNumber(line, from, to)
          || to - from >= DATE_LENGTH && line.charAt(from + DATE_MARK) == 'T';
    }
    return isLevel(line, from, to)
        || line.startsWith("gc,", from)
        || line.startsWith("gc ", from)
        || line.startsWith("gc]", from)
        || line.startsWith("safepoint", from);
  }

  private static boolean isLevel(Line line, int from, int to) {
    int end = trimmed(line, from, to);
    for (String level : LEVELS) {
      if (end - from == level.length() && line.startsWith(level, from)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isStampNumber(Line line, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = line.charAt(i);
      if (!Figures.isDigit(c) && c != '.' && c != ',' && c != 'm' && c != 'n' && c != 's') {
        return false;
      }
    }
    return true;
  }

  /** The end without the blanks that pad a decoration to its width. */
  private static int trimmed(Line line, int from, int to) {
    int end = to;
    while (end > from && Character.isWhitespace(line.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  /**
   * Reads the decorations of a line.
   *
   * @param message what {@link #messageStart} said about it
   * @param dates reads dates; keep one for a log
   */
  static Decorations of(Line line, int message, Dates dates) {
    Optional<Instant> date = Optional.empty();
    Optional<Duration> seconds = Optional.empty();
    Optional<Duration> millis = Optional.empty();
    Optional<Duration> nanos = Optional.empty();
    Optional<Instant> epoch = Optional.empty();
    int tags = 0;
    int tagsEnd = 0;
    int at = line.indexOf('[', 0);
    while (at >= 0 && at < message) {
      int close = line.indexOf(']', at);
      int from = at + 1;
      int to = trimmed(line, from, Math.max(from, close));
      if (from == to || !Figures.isDigit(line.charAt(from))) {
        tags = from;
        tagsEnd = to;
      } else if (line.charAt(to - 1) != 's') {
        date = date.isPresent() ? date : dates.parse(line, from, to);
      } else if (line.charAt(to - 2) == 'm') {
        if (to - 2 - from >= EPOCH_DIGITS) {
          epoch = Figures.epochMillis(line, from, to - 2);
        } else {
          millis = Figures.millis(line, from, to - 2);
        }
      } else if (line.charAt(to - 2) == 'n') {
        nanos = Figures.nanos(line, from, to - 2);
      } else {
        seconds = Figures.seconds(line, from, to - 1);
      }
      at = close < 0 ? -1 : line.indexOf('[', close);
    }
    LogStamp stamp = new LogStamp(first(date, epoch), first(seconds, first(millis, nanos)));
    return new Decorations(stamp, line.substring(tags, tagsEnd), message);
  }

  private static <T> Optional<T> first(Optional<T> one, Optional<T> other) {
    return one.isPresent() ? one : other;
  }
}
