package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Virtual threads do part of the work, and the JVM does not record what they park for.
 *
 * @param at when the first of them was seen
 * @param share of the recorded waits, or of the samples of executing threads, that were theirs,
 *     above 0 and up to 1
 */
public record VirtualThreadUse(Instant at, double share) implements Sample {

  /** Checks the range. */
  public VirtualThreadUse {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("a share lies between 0 and 1: " + share);
    }
  }
}
