package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * How many platform threads there were.
 *
 * @param at when
 * @param active threads alive, daemons among them
 * @param source where this was read
 */
public record ThreadCount(Instant at, long active, Source source) implements Sample {}
