package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * How long request threads waited within a second at work that an executor has neither a thread nor
 * room for: they do it themselves, or wait to hand it on.
 *
 * @param at the start of the second
 * @param time of all of them together, by the waits that began in it
 * @param source where this was read
 */
public record OverflowTime(Instant at, Duration time, Source source) implements Sample {}
