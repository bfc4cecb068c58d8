package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PausePart;
import java.time.Duration;

/**
 * Time of one phase in a pause.
 *
 * @param start when the pause began
 * @param pause length of the whole pause
 * @param part the phase
 * @param duration length of the phase
 * @param line the pause's line, counted from 1
 */
record LoggedPhase(LogStamp start, Duration pause, PausePart part, Duration duration, long line) {}
