package io.gcdiag.ingest.jfr;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each thread was seen at, and when. Of a long recording every second, fourth, eighth...
 * second is kept, so that the memory has a bound and no part of the time is preferred.
 *
 * @param <T> what a thread can be at
 */
final class ThreadSpans<T> {

  /** Some 10 MB; a service under load records that many waits in minutes. */
  private static final int MOST_SPANS = 150_000;

  /** A wait is followed for so long; whoever waits longer holds up nobody's request any more. */
  private static final long LONGEST_SECONDS = 120;

  static final long SECOND = 1_000_000_000L;

  private final Map<Key, List<Span<T>>> spans = new HashMap<>();
  private int count;
  private long stride = 1;

  /** The second that was added to last, and its borders: a division is the most costly thing. */
  private long latest;

  private long latestFrom;
  private long latestTo;

  /** Looked up with every wait that is kept, for which what a record is given takes too long. */
  private record Key(long thread, long second) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && thread == that.thread && second == that.second;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(thread * 31 + second);
    }
  }

  /**
   * The part of a wait that lies in one second, or the instant of a sample.
   *
   * @param from nanoseconds since 1970
   * @param to the same as {@code from} for a sample
   * @param sample whether it is a sample, which has no length
   * @param doing at what
   */
  private record Span<T>(long from, long to, boolean sample, T doing) {}

  /** Takes what a thread was at. */
  interface Sink<T> {
    /**
     * A wait, or a sample of no length.
     *
     * @param from nanoseconds since 1970
     * @param to the same as {@code from} for a sample
     */
    void accept(T doing, long from, long to);
  }

  /** Adds a wait, or a sample of no length; in nanoseconds, the start since 1970. */
  void add(long thread, long from, long length, T doing) {
    long to = from + length;
    if (from < latestFrom || from >= latestTo) {
      latest = second(from);
      latestFrom = latest * SECOND;
      latestTo = latestFrom + SECOND;
    }
    long first = latest;
    long last = to < latestTo ? first : Math.min(second(to), first + LONGEST_SECONDS);
    for (long at = first; at <= last; at++) {
      if (isKept(at)) {
        Span<T> part =
            new Span<>(
                Math.max(from, at * SECOND), Math.min(to, (at + 1) * SECOND), from == to, doing);
        spans.computeIfAbsent(new Key(thread, at), any -> new ArrayList<>(2)).add(part);
        count++;
      }
    }
    if (count > MOST_SPANS) {
      stride *= 2;
      spans.keySet().removeIf(key -> !isKept(key.second()));
      count = spans.values().stream().mapToInt(List::size).sum();
    }
  }

  /** The stride is a power of two, and a division would be the most costly thing here. */
  private boolean isKept(long second) {
    return (second & stride - 1) == 0;
  }

  static long nanos(Instant instant) {
    return instant.getEpochSecond() * SECOND + instant.getNano();
  }

  static long second(long nanos) {
    return Math.floorDiv(nanos, SECOND);
  }

  /** Whether everything of the time between is known. */
  boolean keeps(long from, long to) {
    for (long at = second(from); at <= second(to); at++) {
      if (!isKept(at)) {
        return false;
      }
    }
    return true;
  }

  /** Tells what the thread was at in the time between, cut to it, second by second. */
  void within(long thread, long from, long to, Sink<T> sink) {
    for (long at = second(from); at <= second(to); at++) {
      for (Span<T> span : spans.getOrDefault(new Key(thread, at), List.of())) {
        long begin = Math.max(from, span.from());
        long end = Math.min(to, span.to());
        if (span.sample() ? begin == end && span.from() < to : end > begin) {
          sink.accept(span.doing(), begin, end);
        }
      }
    }
  }
}
