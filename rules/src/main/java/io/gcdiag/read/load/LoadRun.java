package io.gcdiag.read.load;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import java.time.LocalDateTime;
import java.util.Optional;

/**
 * Content of a load generator's result.
 *
 * @param stats over the whole run
 * @param series over time, if the file has single requests with their times
 * @param local a time in the file if its times name no zone; the series takes them for UTC
 */
record LoadRun(RequestStats stats, Optional<RequestSeries> series, Optional<LocalDateTime> local) {

  LoadRun(RequestStats stats, Optional<RequestSeries> series) {
    this(stats, series, Optional.empty());
  }

  static LoadRun of(RequestStats stats) {
    return new LoadRun(stats, Optional.empty());
  }
}
