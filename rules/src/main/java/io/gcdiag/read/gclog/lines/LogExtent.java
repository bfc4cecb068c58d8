package io.gcdiag.read.gclog.lines;

import java.util.Optional;

/**
 * How much of a log there was.
 *
 * @param first the first stamp in it; {@link LogStamp#NONE} if there is none
 * @param last the last stamp in it; {@link LogStamp#NONE} if there is none
 * @param lines lines in the file
 * @param linesNotUnderstood lines that are not of the log's format, such as an application's output
 * @param firstNotUnderstood the first of them, counted from 1; 0 if there is none
 * @param runs how many runs of the JVM it seems to hold: one more than the uptime went back
 * @param unread which records of pauses could not be read, and of which time; absent if none
 */
public record LogExtent(
    LogStamp first,
    LogStamp last,
    long lines,
    long linesNotUnderstood,
    long firstNotUnderstood,
    int runs,
    Optional<String> unread) {}
