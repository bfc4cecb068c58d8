package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

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
 * @param source where it was read
 */
public record LockHold(
    Instant at,
    String lock,
    long holds,
    double heldSeconds,
    Map<Doing, Double> timed,
    Map<Doing, Double> sampled,
    Source source)
    implements Sample {

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
