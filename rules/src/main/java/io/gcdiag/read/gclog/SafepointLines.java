package io.gcdiag.read.gclog;

import io.gcdiag.read.bytes.Line;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines on safepoints. The first two are written when the threads go on, and cut out by hand:
 * there are more of them than of pauses.
 *
 * <pre>
 * Safepoint "ThreadDump", Time since last: 31 ns, Reaching safepoint: 181019 ns, Cleanup: 1 ns,
 *   At safepoint: 5513019 ns, Total: 5709220 ns                                   (JDK 13 on)
 * Total time for which application threads were stopped: 0.0001364 seconds, Stopping threads took:
 *   0.0000234 seconds                                                             (up to JDK 12)
 *          vmop                    [threads: total initially_running wait_to_block]    [time: spin
 *   block sync cleanup vmop] page_trap_count
 * 10.526: RevokeBias                       [     154          0              3    ]      [     0  3471
 *   3583   531  5342    ]  0                                    (PrintSafepointStatistics, up to JDK 12;
 *   from JDK 9 on with blanks before it and none between the brackets)
 * </pre>
 */
public final class SafepointLines {

  /** How the line up to JDK 12 begins. */
  public static final String STOPPED = "Total time for which application threads were stopped";

  private static final String NAMED = "Safepoint \"";
  private static final String STOPPING = ", Stopping threads took: ";
  private static final String SECONDS = " seconds";

  /** The head of the table; its first words are printed once only. */
  private static final String TABLE = "[threads: total initially_running wait_to_block]";

  /** Time of the start, operation, three numbers of threads, times in milliseconds. */
  private static final Pattern ROW =
      Pattern.compile(
          " *(\\d+[.,]\\d{3}): (\\S.*?) +\\[ *\\d+ +\\d+ +\\d+ *\\] *\\[ *\\d+ +\\d+ +(\\d{1,9})"
              + " +(\\d{1,9}) +(\\d{1,9}) *\\] +\\d+ *");

  private SafepointLines() {}

  /** Whether the line is the head of the statistics of JDK 8 to 12 or a row of them. */
  static boolean isStatistics(Line line) {
    return line.startsWith(TABLE, 0)
        || line.startsWith("  ", 0) && line.contains("initially_running wait_to_block")
        || line.length() > 0
            && (LogNumbers.isDigit(line.charAt(0)) || line.charAt(0) == ' ')
            && line.contains("] ")
            && ROW.matcher(line).matches();
  }

  /**
   * Reads a row of the statistics. Where each stop has a line of its own as well, that one counts:
   * it is exact.
   *
   * @param timed whether it has
   * @return whether the line is one of the statistics
   */
  static boolean statistics(Line line, boolean timed, long number, GcLog log) {
    if (!isStatistics(line)) {
      return false;
    }
    if (line.contains("][")) {
      log.jdks("9 to 12");
    }
    if (!timed) {
      Row.of(line)
          .ifPresent(
              row -> {
                log.startsOver(row.end(), number);
                log.addStall(row.end(), row.reaching(), row.at(), row.operation(), number);
              });
    }
    return true;
  }

  /**
   * A row of the statistics.
   *
   * @param start when the JVM began to stop the threads
   * @param operation the reason
   * @param reaching until the last had stopped
   * @param at from then on
   */
  private record Row(LogStamp start, String operation, Duration reaching, Duration at) {

    /** The row in a line that {@link #isStatistics}; empty for the head. */
    static Optional<Row> of(Line line) {
      Matcher row = ROW.matcher(line);
      return row.matches()
          ? LogNumbers.seconds(row.group(1), 0, row.group(1).length())
              .map(
                  uptime ->
                      new Row(
                          new LogStamp(Optional.empty(), Optional.of(uptime)),
                          row.group(2),
                          Duration.ofMillis(Long.parseLong(row.group(3))),
                          Duration.ofMillis(
                              Long.parseLong(row.group(4)) + Long.parseLong(row.group(5)))))
          : Optional.empty();
    }

    /** When the threads went on. */
    LogStamp end() {
      return new LogStamp(
          Optional.empty(), start.uptime().map(time -> time.plus(reaching.plus(at))));
    }
  }

  /** Whether the message begins like one of them. */
  static boolean isOne(Line line, int message) {
    return line.startsWith(NAMED, message) || line.startsWith(STOPPED, message);
  }

  /**
   * Reads the message.
   *
   * @param message where in the line it begins
   * @param end the stamp of its line
   * @param operation what a line before it named as the reason, or empty
   * @return whether it was complete
   */
  static boolean read(
      Line line, int message, LogStamp end, String operation, long number, GcLog log) {
    if (line.startsWith(NAMED, message)) {
      return named(line, message, end, number, log);
    }
    int total = message + STOPPED.length();
    if (!line.startsWith(": ", total)) {
      return false;
    }
    int totalEnd = numberEnd(line, total + 2);
    Optional<Duration> stopped = LogNumbers.seconds(line, total + 2, totalEnd);
    if (stopped.isEmpty() || !line.startsWith(SECONDS, totalEnd)) {
      return false;
    }
    Duration reaching = Duration.ZERO;
    int more = totalEnd + SECONDS.length();
    if (line.startsWith(STOPPING, more)) {
      int from = more + STOPPING.length();
      int to = numberEnd(line, from);
      if (line.startsWith(SECONDS, to)) {
        reaching = LogNumbers.seconds(line, from, to).orElse(Duration.ZERO);
      }
    }
    Duration at = stopped.get().minus(reaching);
    return add(end, reaching, at.isNegative() ? Duration.ZERO : at, operation, number, log);
  }

  private static int numberEnd(Line line, int from) {
    int end = from;
    while (end < line.length() && line.charAt(end) != ' ') {
      end++;
    }
    return end;
  }

  private static boolean named(Line line, int message, LogStamp end, long number, GcLog log) {
    int name = message + NAMED.length();
    int close = line.indexOf('"', name);
    if (close < 0) {
      return false;
    }
    // Searched for by their first letters, which are rare here, and not by the blanks before them.
    Optional<Duration> reaching = nanosAfter(line, close, "Reaching safepoint: ");
    Optional<Duration> at = nanosAfter(line, close, "At safepoint: ");
    return reaching.isPresent()
        && at.isPresent()
        && add(end, reaching.get(), at.get(), line.substring(name, close), number, log);
  }

  private static Optional<Duration> nanosAfter(Line line, int from, String words) {
    int at = line.indexOf(words, from);
    if (at < 0) {
      return Optional.empty();
    }
    int number = at + words.length();
    int end = numberEnd(line, number);
    return line.startsWith(" ns,", end) ? LogNumbers.nanos(line, number, end) : Optional.empty();
  }

  private static boolean add(
      LogStamp end, Duration reaching, Duration at, String operation, long number, GcLog log) {
    log.startsOver(end, number);
    log.addStall(end, reaching, at, operation, number);
    return true;
  }
}
