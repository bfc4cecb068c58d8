package io.gcdiag.ingest.gclog;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The two lines on safepoints. Both are written when the threads go on.
 *
 * <pre>
 * Safepoint "ThreadDump", Time since last: 31 ns, Reaching safepoint: 181019 ns, Cleanup: 1 ns,
 *   At safepoint: 5513019 ns, Total: 5709220 ns                                   (JDK 13 on)
 * Total time for which application threads were stopped: 0.0001364 seconds, Stopping threads took:
 *   0.0000234 seconds                                                             (up to JDK 12)
 * </pre>
 */
final class SafepointLines {

  /** How the line up to JDK 12 begins. */
  static final String STOPPED = "Total time for which application threads were stopped";

  private static final String NAMED = "Safepoint \"";

  private static final Pattern STOPPED_LINE =
      Pattern.compile(
          STOPPED + ": ([\\d.,]+) seconds(?:, Stopping threads took: ([\\d.,]+) seconds)?.*");

  private SafepointLines() {}

  /** Whether the message begins like one of them. */
  static boolean isOne(String message) {
    return message.startsWith(NAMED) || message.startsWith(STOPPED);
  }

  /**
   * Reads the message.
   *
   * @param end the stamp of its line
   * @param operation what a line before it named as the reason, or empty
   * @return whether it was complete
   */
  static boolean read(
      String message, LogStamp end, String operation, long number, LogCollector log) {
    if (message.startsWith(NAMED)) {
      return named(message, end, number, log);
    }
    Matcher stopped = STOPPED_LINE.matcher(message);
    Optional<Duration> total =
        stopped.matches() ? Figures.seconds(stopped.group(1)) : Optional.empty();
    if (total.isEmpty()) {
      return false;
    }
    Duration reaching =
        Optional.ofNullable(stopped.group(2)).flatMap(Figures::seconds).orElse(Duration.ZERO);
    Duration at = total.get().minus(reaching);
    return add(end, reaching, at.isNegative() ? Duration.ZERO : at, operation, number, log);
  }

  /** Cut out by hand: there are more of these lines than of pauses. */
  private static boolean named(String message, LogStamp end, long number, LogCollector log) {
    int close = message.indexOf('"', NAMED.length());
    if (close < 0) {
      return false;
    }
    Optional<Duration> reaching = nanosAfter(message, close, " Reaching safepoint: ");
    Optional<Duration> at = nanosAfter(message, close, " At safepoint: ");
    return reaching.isPresent()
        && at.isPresent()
        && add(
            end, reaching.get(), at.get(), message.substring(NAMED.length(), close), number, log);
  }

  private static Optional<Duration> nanosAfter(String message, int from, String words) {
    int at = message.indexOf(words, from);
    int end = at < 0 ? -1 : message.indexOf(" ns,", at);
    return end < 0 ? Optional.empty() : Figures.nanos(message.substring(at + words.length(), end));
  }

  private static boolean add(
      LogStamp end,
      Duration reaching,
      Duration at,
      String operation,
      long number,
      LogCollector log) {
    log.startsOver(end, number);
    log.addStall(end, reaching, at, operation, number);
    return true;
  }
}
