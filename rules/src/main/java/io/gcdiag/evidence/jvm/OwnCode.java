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
 * Code locations of the service for one activity, over time. A location is the innermost frame of a
 * stack that belongs to no JDK, driver, pool, server or library.
 *
 * @param at when it was first seen
 * @param activity what the threads did
 * @param amounts the amounts in the activity's unit, by the location's number in {@code spots}
 * @param source where it was read
 */
public record OwnCode(
    Instant at, Activity activity, List<Spot> spots, PlaceCounts amounts, Source source)
    implements Sample {

  public OwnCode {
    spots = List.copyOf(spots);
  }

  /** The activities, and the units of their amounts. */
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
    /** Sleeping, in a rate limiter or between two retries; nanoseconds. */
    SLEEPING,
    /** Waiting for something else, such as another thread's result; nanoseconds. */
    WAITING,
    /** A virtual thread that blocks while pinned to its carrier; nanoseconds. */
    PINNED,
    /** Running Java code; samples. */
    RUNNING,
    /** In a native method that is neither a call nor file I/O; samples. */
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
     * Requesting an operation that stops all threads, such as a class histogram; nanoseconds. The
     * location is the last one at which the requesting thread was seen.
     */
    REQUESTING_STOPS,
    /** Reaching a safepoint late, while all others wait for it; nanoseconds (JDK 25 and later). */
    DELAYING_STOPS,
    STARTING_THREADS,
    /** Defining classes, when samples were taken; samples. */
    DEFINING_CLASSES
  }

  /**
   * A location and its subject.
   *
   * @param subject the pool, client library, lock class, rate limiter or class of objects. For
   *     running code the method that the location calls, or nothing. For a thread pinned in a
   *     synchronized method, which is the location, the method that blocks. May be empty
   * @param place the innermost frame of the service's own code; of a stack without one, the
   *     innermost frame outside the JDK
   * @param user the innermost frame of the service's own code in another class, which calls the
   *     location; the same as {@code place} without one
   * @param caller the outermost frame of the service's own code; the same as {@code place} if there
   *     is only one
   * @param own whether the location is the service's own code
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

  /** Amount at each location in a window, whose borders are rounded to seconds. */
  public Map<Spot, Long> within(Window window) {
    Map<Spot, Long> sums = new HashMap<>();
    amounts
        .within(window)
        .forEach((spot, amount) -> sums.merge(spots.get(spot), amount, Long::sum));
    return sums;
  }
}
