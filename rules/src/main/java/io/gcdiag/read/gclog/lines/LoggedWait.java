package io.gcdiag.read.gclog.lines;

import java.time.Duration;

/**
 * One thread that waited for a concurrent collector to free memory, or that was slowed down by it.
 *
 * @param end when it went on; of one that was slowed down, when the collector's cycle ended
 * @param duration how long it waited, at least 0; all its waits of the cycle if it was slowed down
 * @param thread its name
 * @param paced whether the collector slowed it down, rather than had no memory for it
 * @param line the line it was read from, counted from 1
 */
record LoggedWait(LogStamp end, Duration duration, String thread, boolean paced, long line) {}
