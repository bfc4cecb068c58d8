package io.gcdiag.ingest.gclog.store;

import java.util.List;

/**
 * What a log tells of a collector that works while the application runs.
 *
 * @param cycles its cycles, in the order in which they ended
 * @param waits threads that had to wait for memory, in the order in which they went on
 */
public record LoggedConcurrency(List<LoggedCycle> cycles, List<LoggedWait> waits) {

  /** Copies both. */
  public LoggedConcurrency {
    cycles = List.copyOf(cycles);
    waits = List.copyOf(waits);
  }
}
