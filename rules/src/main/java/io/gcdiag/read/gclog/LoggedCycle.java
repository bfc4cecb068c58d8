package io.gcdiag.read.gclog;

import io.gcdiag.units.Bytes;

/**
 * One cycle of ZGC or Shenandoah in a log.
 *
 * @param end when it ended
 * @param usedAfter heap in use when it ended, in the log's resolution
 * @param whole whether it collected the whole heap, not only the young generation
 * @param line the line it was read from, counted from 1
 */
record LoggedCycle(LogStamp end, Bytes usedAfter, boolean whole, long line) {}
