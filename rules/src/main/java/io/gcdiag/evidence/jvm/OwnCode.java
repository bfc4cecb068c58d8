package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the service's own code was seen at one thing, over time: the innermost frame of each stack
 * that belongs to no JDK, driver, pool, server or library.
 *
 * @param at when it was first seen
 * @param activity what the threads were at
 * @param spots the places
 * @param amounts how much of it, in the activity's unit, by the place's number in {@code spots}
 * @param source where it was read
 */
public record OwnCode(
    Instant at, Activity activity, List<Spot> spots, PlaceCounts amounts, Source source)
    implements Sample {

  /** Copies the places. */
  public OwnCode {
    spots = List.copyOf(spots);
  }

  /** What threads are seen at, and the unit of its amounts. */
  public enum Activity {
    /** Waiting for a connection of a pool; nanoseconds. */
    BORROWING,
    /** In a downstream call long enough for an event; nanoseconds. */
    CALLING,
    /** In a downstream call when samples were taken; samples. */
    SAMPLED_CALLING,
    /** Waiting for a monitor or lock; nanoseconds. */
    LOCKING,
    /** Waiting for a client to read its response or send its request; nanoseconds. */
    AT_CLIENT,
    /** In file I/O; nanoseconds. */
    FILE_IO,
    /** Sleeping, in a limiter or between two tries; nanoseconds. */
    SLEEPING,
    /** Waiting for something else, such as another thread's answer; nanoseconds. */
    WAITING,
    /** A virtual thread that blocks its carrier; nanoseconds. */
    PINNED,
    /** Executing Java code; samples. */
    RUNNING,
    /** In a native method that is no call and no file; samples. */
    NATIVE,
    /** Allocating; bytes. */
    ALLOCATING,
    /** Allocating objects too large for a thread's buffer; bytes. */
    ALLOCATING_LARGE,
    /** Throwing exceptions; exceptions. */
    THROWING,
    /** Creating exceptions when samples were taken; samples. */
    SAMPLED_THROWING,
    /** Calling {@code System.gc()}; calls. */
    COLLECTING,
    /**
     * Asking the JVM for what stops all threads, such as a class histogram; nanoseconds. The place
     * is where the thread that asked was seen last.
     */
    REQUESTING_STOPS,
    /** Reaching a safepoint late, while all others wait for it; nanoseconds (JDK 25 and later). */
    DELAYING_STOPS,
    /** Starting threads; threads. */
    STARTING_THREADS,
    /** Defining classes, when samples were taken; samples. */
    DEFINING_CLASSES
  }

  /**
   * A place and what it is about.
   *
   * @param subject the pool, client library, lock class, limiter or class of objects; of what runs
   *     the method that the place calls, or nothing; of what is pinned in a synchronized method,
   *     which is the place, the method that blocks; may be empty
   * @param place the innermost frame of the service's own code; of a stack without one, the
   *     innermost frame outside the JDK
   * @param user the innermost frame of the service's own code in another class, which uses the
   *     place's; the same as {@code place} without one
   * @param caller the outermost frame of the service's own code; the same as {@code place} if there
   *     is but one
   * @param own whether the place is the service's own code
   * @param onRequestThread whether the thread serves requests, by its stack or name
   */
  public record Spot(
      String subject,
      CodePlace place,
      CodePlace user,
      CodePlace caller,
      boolean own,
      boolean onRequestThread)
      implements Comparable<Spot> {

    private static final Comparator<Spot> ORDER =
        Comparator.comparing(Spot::place)
            .thenComparing(Spot::caller)
            .thenComparing(Spot::subject)
            .thenComparing(Spot::onRequestThread);

    @Override
    public int compareTo(Spot other) {
      return ORDER.compare(this, other);
    }
  }

  /** How much was seen at each place in a window, whose borders are rounded to seconds. */
  public Map<Spot, Long> within(Window window) {
    Map<Spot, Long> sums = new HashMap<>();
    amounts
        .within(window)
        .forEach((spot, amount) -> sums.merge(spots.get(spot), amount, Long::sum));
    return sums;
  }
}
