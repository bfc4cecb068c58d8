package io.gcdiag.loadtests;

import java.time.Duration;
import java.util.Optional;

/**
 * What to correlate.
 *
 * @param percentile the percentile of the latency that is the tail
 * @param every length of the intervals, above 0; absent to choose it by what the files hold
 */
public record CorrelationRequest(Percentile percentile, Optional<Duration> every) {

  /** Checks the length. */
  public CorrelationRequest {
    if (every.filter(length -> length.isZero() || length.isNegative()).isPresent()) {
      throw new IllegalArgumentException("intervals must have a length");
    }
  }
}
