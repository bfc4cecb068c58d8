package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What threads did while they held a connection that they had waited for, summed up over a second.
 *
 * @param at the second
 * @param pool the pool
 * @param holds threads that got a connection in this second
 * @param heldSeconds thread time for which connections were surely held in it: from the moment a
 *     thread got one to the last that it was seen at inside the code that uses it
 * @param timed what of this time events record; shorter waits than the recording's thresholds have
 *     none
 * @param sampled the seconds that samples of the holders stand for, by what they were found at;
 *     these see short calls and computing as well, and hold but a few samples each
 * @param source where it was read
 */
public record PoolHold(
    Instant at,
    String pool,
    long holds,
    double heldSeconds,
    Map<Doing, Time> timed,
    Map<Doing, Double> sampled,
    Source source)
    implements Sample {

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
