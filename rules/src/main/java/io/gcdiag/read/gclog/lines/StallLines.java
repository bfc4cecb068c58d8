package io.gcdiag.read.gclog.lines;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines on threads that had to wait inside an allocation.
 *
 * <p>ZGC writes one when the thread goes on (zPageAllocator.cpp, zGeneration.cpp; JDK 11 to 25).
 * Such a line with a collection's number in front is about a thread of the collector.
 *
 * <pre>
 * Allocation Stall (depot-71) 4.502ms
 * Relocation Stall (depot-75) 11.573ms
 * </pre>
 *
 * <p>Shenandoah slows threads down that allocate faster than it frees, in waits of some
 * milliseconds, and writes at the end of each cycle how much that was for each thread since the
 * last one (tag gc+stats; ShenandoahPacer::print_cycle_on).
 *
 * <pre>
 *      33 of   371 ms (  8.8%): ForkJoinPool-1-worker-1
 *      74 of   371 ms ( 19.8%): &lt;total&gt;
 * </pre>
 */
final class StallLines {

  private static final Pattern LINE =
      Pattern.compile("(?:Allocation|Relocation) Stall \\((.*)\\) ([\\d.,]+)ms");

  private static final Pattern PACED =
      Pattern.compile("(\\d+) of +\\d+ ms \\( *[\\d.,]+%\\): (.*)");

  /** The lines that add up the threads above are in brackets. */
  private static final String SUM = "<";

  private StallLines() {}

  /** Whether the message begins like one of them. */
  static boolean isOne(String message) {
    return message.startsWith("Allocation Stall (")
        || message.startsWith("Relocation Stall (")
        || message.contains("%): ") && PACED.matcher(message).matches();
  }

  /** Reads the message; whether it was complete. */
  static boolean read(String message, LogStamp end, long number, GcLog log) {
    Matcher paced = PACED.matcher(message);
    if (paced.matches()) {
      if (!paced.group(2).startsWith(SUM)) {
        LogNumbers.millis(paced.group(1))
            .ifPresent(
                time -> log.addWait(new LoggedWait(end, time, paced.group(2), true, number)));
      }
      return true;
    }
    Matcher matcher = LINE.matcher(message);
    Optional<Duration> length =
        matcher.matches() ? LogNumbers.millis(matcher.group(2)) : Optional.empty();
    length.ifPresent(
        time -> log.addWait(new LoggedWait(end, time, matcher.group(1), false, number)));
    return length.isPresent();
  }
}
