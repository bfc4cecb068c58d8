package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What threads waited for that no series of waits holds. */
public sealed interface WaitSample extends Sample {

  /**
   * What the owners of a lock did while other threads waited for it, summed up over a second.
   *
   * @param at the second
   * @param lock the lock's class
   * @param holds owners that handed the lock on to a thread that waited for it
   * @param heldSeconds how long they held it while a thread waited, all together
   * @param timed of this, the seconds in which the owners themselves waited, by events; waits below
   *     the recording's thresholds have none
   * @param sampled the seconds that samples of the owners stand for, by what they were found at;
   *     these see short waits as well, and hold but a few samples each
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

    /** Copies the maps. */
    public LockHold {
      timed = Collections.unmodifiableMap(new LinkedHashMap<>(timed));
      sampled = Collections.unmodifiableMap(new LinkedHashMap<>(sampled));
    }

    /**
     * What an owner waits for.
     *
     * @param kind the kind of wait
     * @param what the file, remote address, pool or lock; may be empty
     */
    public record Doing(WaitKind kind, String what) {}
  }

  /**
   * What threads did while they held a connection that they had waited for, summed up over a
   * second.
   *
   * @param at the second
   * @param pool the pool
   * @param holds threads that got a connection in this second
   * @param heldSeconds thread time for which connections were surely held in it: from the moment a
   *     thread got one to the last that it was seen at inside the code that uses it
   * @param timed what of this time events record; shorter waits than the recording's thresholds
   *     have none
   * @param sampled the seconds that samples of the holders stand for, by what they were found at;
   *     these see short calls and computing as well, and hold but a few samples each
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

    /** Copies the maps. */
    public PoolHold {
      timed = Collections.unmodifiableMap(new LinkedHashMap<>(timed));
      sampled = Collections.unmodifiableMap(new LinkedHashMap<>(sampled));
    }

    /** Kinds of what a holder does. */
    public enum Kind {
      /** Calls that the connection is there for. */
      OWN_CALL,
      /** Calls to other hosts, during which the connection is not at work. */
      OTHER_CALL,
      /** Waiting to borrow from another pool. */
      OTHER_POOL,
      /** Waiting for a monitor or lock. */
      LOCK,
      /** Reading, writing and forcing files. */
      FILE,
      /** Sleeping for a fixed time. */
      SLEEP,
      /** Waiting for something else, such as another thread's answer. */
      OTHER_WAIT,
      /** Executing Java code. */
      COMPUTING
    }

    /**
     * What a holder does.
     *
     * @param kind the kind
     * @param what the remote address, file, pool or lock; of a sample the library; may be empty
     */
    public record Doing(Kind kind, String what) {}

    /**
     * Time by events.
     *
     * @param count events that began in the second
     * @param seconds the time in it
     */
    public record Time(long count, double seconds) {
      /** Both together. */
      public Time plus(Time more) {
        return new Time(count + more.count, seconds + more.seconds);
      }
    }
  }

  /**
   * How long request threads waited within a second at work that an executor has neither a thread
   * nor room for: they do it themselves, or wait to hand it on.
   *
   * @param at the start of the second
   * @param time of all of them together, by the waits that began in it
   */
  record OverflowTime(Instant at, Duration time, Source source) implements WaitSample {}

  /**
   * Waits of threads that were to end by the clock and did: how much later than requested. A thread
   * whose time is up is ready to run; what it is late by, it waited for CPU, or for the end of a
   * stop.
   *
   * @param at when the interval began in which they ended
   * @param length how long the interval is
   * @param waits how many ended in it
   * @param late how late they were, all together
   * @param latest how late the latest was
   */
  record LateWakes(
      Instant at, Duration length, long waits, Duration late, Duration latest, Source source)
      implements WaitSample {

    /** From when the first of them was due, at the earliest, to the end of the interval. */
    public Window ready() {
      return new Window(at.minus(latest), at.plus(length));
    }
  }

  /**
   * A client or pool that no thread waits for was seen in a stack: what requests wait for may stand
   * in a queue of its, where no event and no thread shows it.
   *
   * @param at when the recording begins
   * @param name the library
   */
  record AsyncClient(Instant at, String name, Source source) implements WaitSample {}
}
