package io.gcdiag.evidence;

import java.time.Instant;

/**
 * How many platform threads there were.
 *
 * @param at when
 * @param active threads alive, daemons among them
 * @param started threads started since the JVM began
 * @param source where this was read
 */
public record ThreadCount(Instant at, long active, long started, Source source) implements Sample {}
