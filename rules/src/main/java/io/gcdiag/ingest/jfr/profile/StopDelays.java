package io.gcdiag.ingest.jfr.profile;

import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How late threads come to where they can stop, of {@code jdk.SafepointLatency}: one event for each
 * sample that had to wait for the thread, from the sample on. While a thread runs through a long
 * loop many samples wait, and their events end together: time that one told of is not counted
 * again.
 */
final class StopDelays {

  private static final int MOST_THREADS = 10_000;

  /** By the number of the thread. */
  private final Map<Long, Stretch> counted = new HashMap<>();

  /** What the event adds to what is known of its thread. */
  long more(Event event, long nanos) {
    Optional<EventThread> thread = event.thread();
    if (thread.isEmpty() || nanos <= 0) {
      return nanos;
    }
    long from = event.startNanos();
    long to = from + nanos;
    Stretch before = counted.get(thread.get().id());
    if (before == null && counted.size() >= MOST_THREADS) {
      return nanos;
    }
    if (before == null || from > before.to() || to < before.from()) {
      counted.put(thread.get().id(), new Stretch(from, to));
      return nanos;
    }
    counted.put(
        thread.get().id(), new Stretch(Math.min(from, before.from()), Math.max(to, before.to())));
    return Math.max(0, before.from() - from) + Math.max(0, to - before.to());
  }

  private record Stretch(long from, long to) {}
}
