package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.source.Source;

/**
 * Pauses as columns of numbers. The rules go through all pauses some forty times, and of a gigabyte
 * of log there are a million: asked for their numbers they make no object of each pause every time.
 * All instants are nanoseconds since 1970, all lengths nanoseconds, all sizes bytes.
 */
public interface PauseColumns {

  /** How many pauses there are. */
  int size();

  /** When the pause begins; those at higher places begin no earlier. */
  long start(int place);

  /** How long it lasts, at least 0. */
  long nanos(int place);

  /** What pauses like it have in common; the same object for most pauses of one type. */
  PauseType type(int place);

  /** Whether the heap around it is known; if not, the sizes must not be asked for. */
  boolean tellsHeap(int place);

  /** Bytes in use when it began. */
  long usedBefore(int place);

  /** Bytes in use when it ended. */
  long usedAfter(int place);

  /** Bytes committed when it ended. */
  long committedAfter(int place);

  /** The file in which it was read. */
  String file(int place);

  /** The line there, counted from 1; {@link Source#NO_LINE} if it was not read in a line. */
  long line(int place);

  /** All of it as an object. */
  GcPause get(int place);
}
