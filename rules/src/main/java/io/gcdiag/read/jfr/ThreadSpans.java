package io.gcdiag.read.jfr;

import io.gcdiag.evidence.time.RowIndex;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What each thread was seen doing, and when. In a long recording only every second, fourth,
 * eighth... second is kept, which bounds the memory and prefers no part of the time.
 *
 * @param <T> what a thread can be at
 */
final class ThreadSpans<T> {

  /** Some 10 MB; a service under load records that many waits in minutes. */
  private static final int MOST_SPANS = 150_000;

  /** A wait is followed for so long; a longer wait belongs to no request. */
  private static final long LONGEST_SECONDS = 120;

  static final long SECOND = 1_000_000_000L;

  private static final int FIRST_SIZE = 64;

  /**
   * Seconds since 1970 fit into so many bits for five centuries; above them is the thread's row.
   */
  private static final int SECOND_BITS = 34;

  private static final long SECOND_MASK = (1L << SECOND_BITS) - 1;

  /** Follows no other part. */
  private static final int NONE = -1;

  private RowIndex threads = new RowIndex();

  /** What a thread did in one second: rows of the thread and of the second together. */
  private RowIndex places = new RowIndex();

  /** By the row of the place: the first and the last part in it. */
  private int[] first = new int[FIRST_SIZE];

  private int[] last = new int[FIRST_SIZE];

  /**
   * The parts of waits that lie in one second, or samples: in columns, as there are two hundred
   * thousand of them for each of which an object, with a list and a key, would be kept and moved.
   */
  private long[] from = new long[FIRST_SIZE];

  private long[] to = new long[FIRST_SIZE];
  private boolean[] sample = new boolean[FIRST_SIZE];
  private final List<T> doing = new ArrayList<>();

  /** The next part in the same place. */
  private int[] following = new int[FIRST_SIZE];

  private int count;
  private long stride = 1;

  /** The second that was added to last, and its borders: a division is the most costly thing. */
  private long latest;

  private long latestFrom;
  private long latestTo;

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
  void add(long thread, long start, long length, T what) {
    long end = start + length;
    if (start < latestFrom || start >= latestTo) {
      latest = second(start);
      latestFrom = latest * SECOND;
      latestTo = latestFrom + SECOND;
    }
    long begins = latest;
    long ends = end < latestTo ? begins : Math.min(second(end), begins + LONGEST_SECONDS);
    for (long at = begins; at <= ends; at++) {
      if (isKept(at)) {
        int part = part(what);
        from[part] = Math.max(start, at * SECOND);
        to[part] = Math.min(end, (at + 1) * SECOND);
        sample[part] = length == 0;
        put(part, place(threads.row(thread), at));
      }
    }
    if (count > MOST_SPANS) {
      thin();
    }
  }

  private static long place(long threadRow, long second) {
    return threadRow << SECOND_BITS | second & SECOND_MASK;
  }

  private int part(T what) {
    if (count == from.length) {
      int room = 2 * count;
      from = Arrays.copyOf(from, room);
      to = Arrays.copyOf(to, room);
      sample = Arrays.copyOf(sample, room);
      following = Arrays.copyOf(following, room);
    }
    doing.add(what);
    return count++;
  }

  /** Puts a part behind all others in its place. */
  private void put(int part, long place) {
    int known = places.count();
    int row = places.row(place);
    if (row >= first.length) {
      first = Arrays.copyOf(first, 2 * row);
      last = Arrays.copyOf(last, 2 * row);
    }
    following[part] = NONE;
    if (row == known) {
      first[row] = part;
    } else {
      following[last[row]] = part;
    }
    last[row] = part;
  }

  /** Lets go of every second second that is kept. */
  private void thin() {
    stride *= 2;
    int[] placeOf = new int[count];
    for (int row = 0; row < places.count(); row++) {
      for (int part = first[row]; part != NONE; part = following[part]) {
        placeOf[part] = row;
      }
    }
    RowIndex allPlaces = places;
    RowIndex allThreads = threads;
    places = new RowIndex();
    threads = new RowIndex();
    int parts = count;
    count = 0;
    for (int part = 0; part < parts; part++) {
      long place = allPlaces.key(placeOf[part]);
      // The lowest bits of a second are the same without its highest ones.
      if (isKept(place & SECOND_MASK)) {
        long thread = allThreads.key((int) (place >>> SECOND_BITS));
        int kept = count++;
        from[kept] = from[part];
        to[kept] = to[part];
        sample[kept] = sample[part];
        doing.set(kept, doing.get(part));
        put(kept, place(threads.row(thread), place));
      }
    }
    doing.subList(count, parts).clear();
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

  /** Shows what the thread did in the time between, cut to it, second by second. */
  void within(long thread, long start, long end, Sink<T> sink) {
    int threadRow = threads.find(thread);
    if (threadRow == RowIndex.NONE) {
      return;
    }
    for (long at = second(start); at <= second(end); at++) {
      int row = places.find(place(threadRow, at));
      for (int part = row == RowIndex.NONE ? NONE : first[row];
          part != NONE;
          part = following[part]) {
        long partFrom = Math.max(start, from[part]);
        long partTo = Math.min(end, to[part]);
        if (sample[part] ? partFrom == partTo && from[part] < end : partTo > partFrom) {
          sink.accept(doing.get(part), partFrom, partTo);
        }
      }
    }
  }
}
