package io.gcdiag.read.gclog;

import java.time.Duration;

/**
 * A thread that waited for a concurrent collector to free memory, or was slowed down by it.
 *
 * @param end when the wait ended; for a thread that was slowed down, when the collector's cycle
 *     ended
 * @param duration length of the wait, at least 0; for a thread that was slowed down, the total in
 *     the cycle
 * @param thread its name
 * @param paced whether it was slowed down and not stalled
 * @param line the line it was read from, counted from 1
 */
record LoggedWait(LogStamp end, Duration duration, String thread, boolean paced, long line) {}
