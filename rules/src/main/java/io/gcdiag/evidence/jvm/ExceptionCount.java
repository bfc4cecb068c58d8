package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * A reading of the JVM's counter of exceptions and errors created.
 *
 * @param at when
 * @param total since the JVM began
 * @param source where this was read
 */
public record ExceptionCount(Instant at, long total, Source source) implements Sample {}
