package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * How often the machine's cores went from one thread to another.
 *
 * @param at when it was read
 * @param interval how long before that the reading before was: it is the mean of that time
 * @param perSecond switches a second, all processes together
 */
public record ContextSwitches(Instant at, Duration interval, double perSecond) implements Sample {}
