package io.gcdiag.ingest.gclog;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * ZGC's lines on threads that found no memory, written when the thread goes on (zPageAllocator.cpp,
 * zGeneration.cpp; JDK 11 to 25).
 *
 * <pre>
 * Allocation Stall (depot-71) 4.502ms
 * Relocation Stall (depot-75) 11.573ms
 * </pre>
 *
 * <p>Such a line with a collection's number in front is about a thread of the collector.
 */
final class StallLines {

  private static final Pattern LINE =
      Pattern.compile("(?:Allocation|Relocation) Stall \\((.*)\\) ([\\d.,]+)ms");

  private StallLines() {}

  /** Whether the message begins like one of them. */
  static boolean isOne(String message) {
    return message.startsWith("Allocation Stall (") || message.startsWith("Relocation Stall (");
  }

  /** Reads the message; whether it was complete. */
  static boolean read(String message, LogStamp end, long number, LogCollector log) {
    Matcher matcher = LINE.matcher(message);
    Optional<Duration> length =
        matcher.matches() ? Figures.millis(matcher.group(2)) : Optional.empty();
    length.ifPresent(time -> log.addWait(new LoggedWait(end, time, matcher.group(1), number)));
    return length.isPresent();
  }
}
