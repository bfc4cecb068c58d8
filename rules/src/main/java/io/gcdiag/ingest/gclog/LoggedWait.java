package io.gcdiag.ingest.gclog;

import java.time.Duration;

/**
 * One thread that waited for a concurrent collector to free memory.
 *
 * @param end when it went on
 * @param duration how long it waited, at least 0
 * @param thread its name
 * @param line the line it was read from, counted from 1
 */
public record LoggedWait(LogStamp end, Duration duration, String thread, long line) {}
