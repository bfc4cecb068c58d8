package io.gcdiag.read.gclog;

import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Concurrent work of a collector in a log.
 *
 * @param cycles its cycles, in the order in which they ended
 * @param waits threads that waited for memory, in the order in which the waits ended
 * @param capacity the maximum heap, derived from shares that its cycles state, accurate to about a
 *     percent
 */
record LoggedConcurrency(
    List<LoggedCycle> cycles, List<LoggedWait> waits, Optional<Bytes> capacity) {

  public LoggedConcurrency {
    cycles = List.copyOf(cycles);
    waits = List.copyOf(waits);
  }
}
