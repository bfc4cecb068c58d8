package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import java.util.Optional;

/**
 * Content of a load generator's result.
 *
 * @param stats over the whole run
 * @param series over time, if the file has single requests with their times
 */
record LoadRun(RequestStats stats, Optional<RequestSeries> series) {

  static LoadRun of(RequestStats stats) {
    return new LoadRun(stats, Optional.empty());
  }
}
