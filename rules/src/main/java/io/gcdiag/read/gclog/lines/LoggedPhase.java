package io.gcdiag.read.gclog.lines;

import io.gcdiag.evidence.jvm.PausePart;
import java.time.Duration;

/**
 * What one part of the work took of a pause.
 *
 * @param start when the pause began
 * @param pause how long all of it took
 * @param part which work
 * @param duration how long that took
 * @param line the pause's line, counted from 1
 */
record LoggedPhase(LogStamp start, Duration pause, PausePart part, Duration duration, long line) {}
