package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * What one part of the work took of one pause; there is none of parts that took next to nothing.
 *
 * @param at when the pause began
 * @param pause how long all of it took
 * @param part which work
 * @param duration how long that took
 * @param source where this was read
 */
public record PausePhase(
    Instant at, Duration pause, PausePart part, Duration duration, Source source)
    implements Sample {}
