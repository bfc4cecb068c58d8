package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * How many platform threads run virtual threads, as set by {@code
 * -Djdk.virtualThreadScheduler.parallelism}; without it there is one a core.
 *
 * @param at when it was read
 * @param parallelism threads, at least 1
 */
public record CarrierThreads(Instant at, int parallelism) implements Sample {

  /** Checks the range. */
  public CarrierThreads {
    if (parallelism < 1) {
      throw new IllegalArgumentException("virtual threads need a carrier: " + parallelism);
    }
  }
}
