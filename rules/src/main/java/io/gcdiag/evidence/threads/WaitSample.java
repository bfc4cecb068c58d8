package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Waits that no {@link WaitSeries} holds. */
public sealed interface WaitSample extends Sample {

  /**
   * What the owners of a lock did while other threads waited for it, per second.
   *
   * @param at start of the second
   * @param lock the lock's class
   * @param holds owners that released the lock to a waiting thread
   * @param heldSeconds total time that they held it while a thread waited
   * @param timed the part of it in which the owners themselves waited, by events; without waits
   *     below the recording's thresholds
   * @param sampled the same by samples of the owners, in seconds by what they did; samples see
   *     short waits as well, but there are only a few
   */
  record LockHold(
      Instant at,
      String lock,
      long holds,
      double heldSeconds,
      Map<Doing, Double> timed,
      Map<Doing, Double> sampled,
      Source source)
      implements WaitSample {

    public LockHold {
      timed = Collections.unmodifiableMap(new LinkedHashMap<>(timed));
      sampled = Collections.unmodifiableMap(new LinkedHashMap<>(sampled));
    }

    /**
     * What an owner waits for.
     *
     * @param what the file, remote address, pool or lock; may be empty
     */
    public record Doing(WaitKind kind, String what) {}
  }

  /**
   * What threads did in the slowest tenth of the requests that events of a recording time, and in
   * the others.
   *
   * @param at when the first of them began
   * @param parts of a request's time, most of a slow one first; what is missing was not recorded
   * @param callers the waits and samples of the parts by the service's innermost method
   * @param allocated bytes by the same, those of all first; empty if too few were sampled
   */
  record SlowRequests(
      Instant at,
      Side slow,
      Side others,
      List<Part> parts,
      List<Part> callers,
      List<Allocated> allocated,
      Source source)
      implements WaitSample {

    public SlowRequests {
      parts = List.copyOf(parts);
      callers = List.copyOf(callers);
      allocated = List.copyOf(allocated);
    }

    /**
     * Some of the requests.
     *
     * @param seconds their mean latency
     */
    public record Side(long requests, double seconds) {}

    /** Bytes that a method allocates, on average in a slow request and in another one. */
    public record Allocated(String method, double slowBytes, double otherBytes) {}

    /**
     * What requests spend time on, each on average.
     *
     * @param doing what their threads did, in words, or in which method
     * @param slowSeconds a slow one
     * @param otherSeconds another one
     */
    public record Part(String doing, double slowSeconds, double otherSeconds) {}
  }

  /**
   * What threads did while they held a connection that they had waited for, per second.
   *
   * @param at start of the second
   * @param holds threads that got a connection in this second
   * @param heldSeconds thread time in which connections were certainly held: from the moment a
   *     thread got one to the last time that it was seen inside the code that uses it
   * @param timed the part of it that events record; without waits below the recording's thresholds
   * @param sampled the same by samples of the holders, in seconds by what they did; samples see
   *     short calls and running as well, but there are only a few
   */
  record PoolHold(
      Instant at,
      String pool,
      long holds,
      double heldSeconds,
      Map<Doing, Time> timed,
      Map<Doing, Double> sampled,
      Source source)
      implements WaitSample {

    public PoolHold {
      timed = Collections.unmodifiableMap(new LinkedHashMap<>(timed));
      sampled = Collections.unmodifiableMap(new LinkedHashMap<>(sampled));
    }

    /** What the holder of a connection does. */
    public enum Kind {
      /** Calls for which the connection is held. */
      OWN_CALL,
      /** Calls to other hosts, while the connection is idle. */
      OTHER_CALL,
      /** Waiting for a connection of another pool. */
      OTHER_POOL,
      /** Waiting for a monitor or lock. */
      LOCK,
      /** File I/O. */
      FILE,
      SLEEP,
      /** Waiting for something else, such as another thread's result. */
      OTHER_WAIT,
      /** Executing Java code. */
      COMPUTING
    }

    /**
     * What a holder does.
     *
     * @param what the remote address, file, pool or lock; for a sample the library; may be empty
     */
    public record Doing(Kind kind, String what) {}

    /**
     * Time by events.
     *
     * @param count events that began in the second
     * @param seconds the time in it
     */
    public record Time(long count, double seconds) {
      public Time plus(Time more) {
        return new Time(count + more.count, seconds + more.seconds);
      }
    }
  }

  /**
   * How long request threads waited within a second in work that an executor rejected, having no
   * free thread and a full queue: they do the work themselves, or wait to hand it over.
   *
   * @param at start of the second
   * @param time total of all threads, by the waits that began in the second
   */
  record OverflowTime(Instant at, Duration time, Source source) implements WaitSample {}

  /**
   * How much later than requested timed waits ended that ended by their timeout. A thread whose
   * timeout has passed is runnable; the delay is waiting for CPU, or a pause.
   *
   * @param at start of the interval in which they ended
   * @param length its length
   * @param waits number of waits that ended in it
   */
  record LateWakes(
      Instant at, Duration length, long waits, Duration late, Duration latest, Source source)
      implements WaitSample {

    /** From the earliest time at which one of them was due to the end of the interval. */
    public Window ready() {
      return new Window(at.minus(latest), at.plus(length));
    }
  }

  /**
   * A stack shows a client or pool that makes no thread wait. Requests may wait in its queue, where
   * neither an event nor a thread shows it.
   *
   * @param at start of the recording
   * @param name the library
   */
  record AsyncClient(Instant at, String name, Source source) implements WaitSample {}
}
