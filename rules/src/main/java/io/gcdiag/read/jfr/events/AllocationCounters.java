package io.gcdiag.read.jfr.events;

import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The threads' own counters of allocated bytes, emitted at the start and end of each chunk. The
 * difference between a thread's first and last reading is exact, except for threads that ended in
 * between.
 */
final class AllocationCounters {

  static final String EVENT = "jdk.ThreadAllocationStatistics";

  /** Readings of one emission lie this close together. */
  private static final Duration ONE_EMISSION = Duration.ofSeconds(1);

  private final Map<Long, Reading> firstByThread = new HashMap<>();
  private final Map<Long, Reading> lastByThread = new HashMap<>();
  private Optional<Instant> first = Optional.empty();
  private Optional<Instant> last = Optional.empty();

  private record Reading(Instant at, long bytes) {}

  void accept(Event event) {
    Optional<EventThread> thread = event.thread("thread");
    if (thread.isEmpty()) {
      return;
    }
    long id = thread.get().id();
    Instant at = event.start();
    Reading reading = new Reading(at, event.number("allocated").orElse(0));
    firstByThread.merge(id, reading, (a, b) -> a.at().isAfter(b.at()) ? b : a);
    lastByThread.merge(id, reading, (a, b) -> a.at().isAfter(b.at()) ? a : b);
    first = first.filter(known -> known.isBefore(at)).or(() -> Optional.of(at));
    last = last.filter(known -> known.isAfter(at)).or(() -> Optional.of(at));
  }

  OptionalDouble bytesPerSecond() {
    if (first.isEmpty() || Duration.between(first.get(), last.get()).compareTo(ONE_EMISSION) < 0) {
      return OptionalDouble.empty();
    }
    Instant start = first.get().plus(ONE_EMISSION);
    long bytes = 0;
    for (Map.Entry<Long, Reading> entry : lastByThread.entrySet()) {
      Reading begin = firstByThread.get(entry.getKey());
      // A thread not there at the start allocated all it has since then.
      bytes += entry.getValue().bytes() - (begin.at().isBefore(start) ? begin.bytes() : 0);
    }
    Duration time = Duration.between(first.get(), last.get());
    return OptionalDouble.of(bytes / (time.toNanos() / 1e9));
  }
}
