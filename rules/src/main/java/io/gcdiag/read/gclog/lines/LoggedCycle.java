package io.gcdiag.read.gclog.lines;

import io.gcdiag.units.Bytes;

/**
 * One cycle of ZGC or Shenandoah as the log has it.
 *
 * @param end when it ended
 * @param usedAfter heap in use when it ended, in the log's resolution
 * @param whole whether it cleared the whole heap, not the young generation alone
 * @param line the line it was read from, counted from 1
 */
record LoggedCycle(LogStamp end, Bytes usedAfter, boolean whole, long line) {}
