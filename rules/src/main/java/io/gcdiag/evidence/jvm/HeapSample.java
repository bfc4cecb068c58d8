package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * The heap at one instant.
 *
 * @param moment in relation to a collection
 * @param used bytes in use
 * @param committed bytes committed (the heap's size at that instant)
 * @param source where this was read
 */
public record HeapSample(Instant at, Moment moment, Bytes used, Bytes committed, Source source) {

  /** When a sample was taken, in relation to a collection. */
  public enum Moment {
    BEFORE_COLLECTION,
    AFTER_COLLECTION,
    /** At no particular moment. */
    ANY
  }
}
