package io.gcdiag.ingest.gclog;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

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

  private static final Set<String> LEVELS = Set.of("info", "debug", "trace", "warning", "error");

  /** Milliseconds with twelve digits: as a date from 1973 on, as an uptime three years. */
  private static final int EPOCH_DIGITS = 12;

  /**
   * Where the message begins, or -1 if the line has no decorations. Does no more than look at the
   * characters, because it is asked of every line.
   */
  static int messageStart(String line) {
    int from = line.indexOf('[');
    while (from >= 0) {
      boolean known = false;
      int at = from;
      while (at < line.length() && line.charAt(at) == '[') {
        int end = line.indexOf(']', at);
        if (end < 0) {
          return -1;
        }
        known |= isDecoration(line, at + 1, end);
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

  private static boolean isDecoration(String line, int from, int to) {
    if (from >= to) {
      return false;
    }
    char first = line.charAt(from);
    if (first >= '0' && first <= '9') {
      return line.charAt(to - 1) == 's' && isStampNumber(line, from, to)
          || to - from >= 19 && line.charAt(from + 10) == 'T';
    }
    return LEVELS.contains(line.substring(from, to).stripTrailing())
        || line.startsWith("gc,", from)
        || line.startsWith("gc ", from)
        || line.startsWith("gc]", from)
        || line.startsWith("safepoint", from);
  }

  private static boolean isStampNumber(String line, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = line.charAt(i);
      if ((c < '0' || c > '9') && c != '.' && c != ',' && c != 'm' && c != 'n' && c != 's') {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads the decorations of a line.
   *
   * @param message what {@link #messageStart} said about it
   * @param dates reads dates; keep one for a log
   */
  static Decorations of(String line, int message, Dates dates) {
    Optional<Instant> date = Optional.empty();
    Optional<Duration> seconds = Optional.empty();
    Optional<Duration> millis = Optional.empty();
    Optional<Duration> nanos = Optional.empty();
    Optional<Instant> epoch = Optional.empty();
    String tags = "";
    int at = line.indexOf('[');
    while (at >= 0 && at < message) {
      int end = line.indexOf(']', at);
      String text = line.substring(at + 1, Math.max(at + 1, end)).stripTrailing();
      if (text.isEmpty()) {
        tags = "";
      } else if (!Character.isDigit(text.charAt(0))) {
        tags = text;
      } else if (text.endsWith("ms")) {
        String digits = number(text, 2);
        if (digits.length() >= EPOCH_DIGITS) {
          epoch = Figures.epochMillis(digits);
        } else {
          millis = Figures.millis(digits);
        }
      } else if (text.endsWith("ns")) {
        nanos = Figures.nanos(number(text, 2));
      } else if (text.endsWith("s")) {
        seconds = Figures.seconds(number(text, 1));
      } else if (date.isEmpty()) {
        date = dates.parse(text);
      }
      at = end < 0 ? -1 : line.indexOf('[', end);
    }
    LogStamp stamp = new LogStamp(first(date, epoch), first(seconds, first(millis, nanos)));
    return new Decorations(stamp, tags, message);
  }

  private static <T> Optional<T> first(Optional<T> one, Optional<T> other) {
    return one.isPresent() ? one : other;
  }

  private static String number(String text, int unit) {
    return text.substring(0, text.length() - unit);
  }
}
