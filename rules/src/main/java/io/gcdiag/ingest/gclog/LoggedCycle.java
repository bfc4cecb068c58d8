package io.gcdiag.ingest.gclog;

import io.gcdiag.units.Bytes;

/**
 * One cycle of ZGC or Shenandoah as the log has it.
 *
 * @param end when it ended
 * @param gcId the JVM's number of the collection
 * @param cause the JVM's words for why it was begun; empty if the line does not say
 * @param usedAfter heap in use when it ended, in the log's resolution
 * @param whole whether it cleared the whole heap, not the young generation alone
 * @param line the line it was read from, counted from 1
 */
public record LoggedCycle(
    LogStamp end, long gcId, String cause, Bytes usedAfter, boolean whole, long line) {}
