package io.gcdiag.evidence;

import java.time.Instant;

/**
 * How often the machine's cores went from one thread to another.
 *
 * @param at when it was read; it is the mean since the reading before
 * @param perSecond switches a second, all processes together
 */
public record ContextSwitches(Instant at, double perSecond) implements Sample {}
