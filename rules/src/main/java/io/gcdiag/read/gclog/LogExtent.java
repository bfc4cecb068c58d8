package io.gcdiag.read.gclog;

import java.util.Optional;

/**
 * The extent of a log.
 *
 * @param first the first timestamp in it; {@link LogStamp#NONE} if there is none
 * @param last the last timestamp in it; {@link LogStamp#NONE} if there is none
 * @param lines lines in the file
 * @param linesNotUnderstood lines that are not of the log's format, such as an application's output
 * @param firstNotUnderstood the first of them, counted from 1; 0 if there is none
 * @param runs number of runs of the JVM that it seems to contain: one more than the times that the
 *     uptime decreased
 * @param unread number and time span of pauses that could not be read; empty if none
 */
record LogExtent(
    LogStamp first,
    LogStamp last,
    long lines,
    long linesNotUnderstood,
    long firstNotUnderstood,
    int runs,
    Optional<String> unread) {}
