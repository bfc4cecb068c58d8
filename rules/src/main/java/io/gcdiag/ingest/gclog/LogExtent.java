package io.gcdiag.ingest.gclog;

/**
 * How much of a log there was.
 *
 * @param first the first stamp in it; {@link LogStamp#NONE} if there is none
 * @param last the last stamp in it; {@link LogStamp#NONE} if there is none
 * @param lines lines in the file
 * @param linesNotUnderstood lines that are not of the log's format, such as an application's output
 * @param runs how many runs of the JVM it seems to hold: one more than the uptime went back
 */
public record LogExtent(
    LogStamp first, LogStamp last, long lines, long linesNotUnderstood, int runs) {}
