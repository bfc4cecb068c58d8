package io.gcdiag.read.gclog;

import io.gcdiag.read.bytes.Line;
import java.util.List;

/**
 * The brackets before a message of a unified log.
 *
 * <pre>
 * [2026-11-21T05:46:33.665+0000][0.082s][info][gc,start    ] GC(0) Pause Young (Normal)
 * [61ms][info][gc] ...           uptimemillis
 * </pre>
 *
 * <p>Text before the brackets (a container runtime's timestamp, a service's name) is skipped. The
 * kind of each bracket is recognised by its content, because users choose the decorations: a number
 * with {@code s} is the uptime; one with {@code ms} is the uptime, or the time since 1970 if it is
 * too large; one with {@code ns} is used as uptime only if there is no other.
 *
 * @param stamp the time of the line
 * @param tags the tags, such as {@code gc,start}; empty if the log has none
 */
record Decorations(LogStamp stamp, String tags) {

  private static final List<String> LEVELS = List.of("info", "debug", "trace", "warning", "error");

  /** A date is at least this long, and has its T at a fixed position. */
  private static final int DATE_LENGTH = 19;

  private static final int DATE_MARK = 10;

  /**
   * Where the message begins, or -1 if the line has no decorations. Fast, because it is called for
   * every line.
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
    if (LogNumbers.isDigit(line.charAt(from))) {
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
      if (!LogNumbers.isDigit(c) && c != '.' && c != ',' && c != 'm' && c != 'n' && c != 's') {
        return false;
      }
    }
    return true;
  }

  /** The end of a part of a line without trailing blanks. */
  static int trimmed(Line line, int from, int to) {
    int end = to;
    while (end > from && Character.isWhitespace(line.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  /**
   * Reads the decorations of a line.
   *
   * @param message result of {@link #messageStart}
   * @param dates parses dates; use one per log
   */
  static Decorations of(Line line, int message, Dates dates) {
    LineStamp stamp = new LineStamp(dates);
    stamp.read(line, message);
    return new Decorations(stamp.stamp(), stamp.tags(line));
  }
}
