package io.gcdiag.read.jfr.events;

import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How late threads come to where they can stop, of {@code jdk.SafepointLatency}: one event for each
 * sample that had to wait for the thread, from the sample on. While a thread runs through a long
 * loop many samples wait, and their events end together: time that one covered is not counted
 * again.
 */
final class StopDelays {

  private static final int MOST_THREADS = 10_000;

  /** Events are written a buffer at a time: one that is late is late by a few others. */
  private static final int MOST_STRETCHES = 100;

  /**
   * By the number of the thread, the latest stretches that are counted: each start with its end.
   */
  private final Map<Long, NavigableMap<Long, Long>> counted = new HashMap<>();

  /** What the event adds to what is known of its thread. */
  long more(Event event, long nanos) {
    Optional<EventThread> thread = event.thread();
    return thread.isEmpty() || nanos <= 0
        ? nanos
        : more(thread.get().id(), event.startNanos(), event.startNanos() + nanos);
  }

  /** What a stretch adds to those of the thread. */
  long more(long thread, long from, long to) {
    if (!counted.containsKey(thread) && counted.size() >= MOST_THREADS) {
      return to - from;
    }
    NavigableMap<Long, Long> stretches = counted.computeIfAbsent(thread, any -> new TreeMap<>());
    long start = from;
    long end = to;
    long known = 0;
    Map.Entry<Long, Long> last = stretches.floorEntry(to);
    while (last != null && last.getValue() >= from) {
      known += Math.min(to, last.getValue()) - Math.max(from, last.getKey());
      start = Math.min(start, last.getKey());
      end = Math.max(end, last.getValue());
      stretches.remove(last.getKey());
      last = stretches.floorEntry(to);
    }
    stretches.put(start, end);
    if (stretches.size() > MOST_STRETCHES) {
      stretches.pollFirstEntry();
    }
    return to - from - known;
  }
}
