package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.units.Nanos;

/**
 * Pauses as columns of numbers. The rules go through all pauses some forty times, and of a gigabyte
 * of log there are a million: asked for their numbers they make no object of each pause every time.
 * All instants are nanoseconds since 1970, all lengths nanoseconds, all sizes bytes.
 *
 * <p>A log keeps its pauses packed and overrides every column; a recording has few pauses, which
 * are objects, and its columns are read from these.
 */
public interface PauseColumns {

  /** How many pauses there are. */
  int size();

  /** All of a pause as an object. */
  GcPause get(int place);

  /** When the pause begins; those at higher places begin no earlier. */
  default long start(int place) {
    return Nanos.since1970(get(place).start());
  }

  /** How long it lasts, at least 0. */
  default long nanos(int place) {
    return Nanos.of(get(place).duration());
  }

  /** What pauses like it have in common; the same object for most pauses of one type. */
  default PauseType type(int place) {
    return get(place).type();
  }

  /** Whether the heap around it is known; if not, the sizes must not be asked for. */
  default boolean tellsHeap(int place) {
    return get(place).heap().isPresent();
  }

  /** Bytes in use when it began. */
  default long usedBefore(int place) {
    return heap(place).usedBefore().value();
  }

  /** Bytes in use when it ended. */
  default long usedAfter(int place) {
    return heap(place).usedAfter().value();
  }

  /** Bytes committed when it ended. */
  default long committedAfter(int place) {
    return heap(place).committedAfter().value();
  }

  private HeapChange heap(int place) {
    return get(place).heap().orElseThrow();
  }

  /** The file in which it was read. */
  default String file(int place) {
    return get(place).source().file();
  }

  /** The line there, counted from 1; {@link Source#NO_LINE} if it was not read in a line. */
  default long line(int place) {
    return get(place).source().line().orElse(Source.NO_LINE);
  }
}
