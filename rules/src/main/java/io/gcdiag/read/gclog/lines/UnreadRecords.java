package io.gcdiag.read.gclog.lines;

import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Optional;

/** Records of pauses in a log that could not be read: how many, and from when to when. */
final class UnreadRecords {

  private long count;
  private long firstLine;
  private long lastLine;
  private LogStamp first = LogStamp.NONE;
  private LogStamp last = LogStamp.NONE;

  /** Adds one that ended, or was given up, at that line. */
  void add(LogStamp start, long line) {
    count++;
    firstLine = count == 1 ? line : firstLine;
    lastLine = line;
    if (start.isPresent()) {
      first = first.isPresent() ? first : start;
      last = start;
    }
  }

  /** {@code 3 records of pauses are left out ...: lines 12 to 480, uptime 1.5 s to 9 min}. */
  Optional<String> text() {
    if (count == 0) {
      return Optional.empty();
    }
    boolean one = count == 1;
    String lines = one ? "line " + firstLine : "lines " + firstLine + " to " + lastLine;
    String from = time(first);
    String to = time(last);
    String times = from.equals(to) ? from : from + " to " + to;
    return Optional.of(
        Numbers.count(count)
            + (one ? " record of a pause is" : " records of pauses are")
            + " left out, without an end or a time: "
            + lines
            + (first.isPresent() ? (first.wallClock().isPresent() ? ", " : ", uptime ") : "")
            + times);
  }

  private static String time(LogStamp stamp) {
    return stamp
        .wallClock()
        .map(Object::toString)
        .or(() -> stamp.uptime().map(Durations::format))
        .orElse("");
  }
}
