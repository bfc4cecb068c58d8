package io.gcdiag.evidence.heap;

import io.gcdiag.evidence.heap.HeapSample.Moment;
import io.gcdiag.evidence.pauses.PauseColumns;
import io.gcdiag.evidence.source.Source;

/**
 * Samples of the heap as columns of numbers, for the reason of {@link PauseColumns}: a log has one
 * for each of its pauses. Instants are nanoseconds since 1970, sizes bytes.
 */
public interface HeapColumns {

  /** How many samples there are. */
  int size();

  /** When a sample was taken; those at higher places are no earlier. */
  long at(int place);

  /** In relation to a collection. */
  Moment moment(int place);

  /** Bytes in use. */
  long used(int place);

  /** Bytes committed. */
  long committed(int place);

  /** The file in which it was read. */
  String file(int place);

  /** The line there, counted from 1; {@link Source#NO_LINE} if it was not read in a line. */
  long line(int place);

  /** All of it as an object. */
  HeapSample get(int place);
}
