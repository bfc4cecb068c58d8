package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import java.util.Optional;

/**
 * What a load generator's result holds.
 *
 * @param stats over the whole run
 * @param series over time, where the file has single requests with their times
 */
record LoadRun(RequestStats stats, Optional<RequestSeries> series) {

  /** A result without a course over time. */
  static LoadRun of(RequestStats stats) {
    return new LoadRun(stats, Optional.empty());
  }
}
