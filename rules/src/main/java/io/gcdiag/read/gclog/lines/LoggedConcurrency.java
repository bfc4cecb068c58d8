package io.gcdiag.read.gclog.lines;

import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * What a log shows of a collector that works while the application runs.
 *
 * @param cycles its cycles, in the order in which they ended
 * @param waits threads that had to wait for memory, in the order in which they went on
 * @param capacity the maximum heap by what its cycles state as shares of it, to a per cent or so
 */
public record LoggedConcurrency(
    List<LoggedCycle> cycles, List<LoggedWait> waits, Optional<Bytes> capacity) {

  /** Copies the lists. */
  public LoggedConcurrency {
    cycles = List.copyOf(cycles);
    waits = List.copyOf(waits);
  }
}
