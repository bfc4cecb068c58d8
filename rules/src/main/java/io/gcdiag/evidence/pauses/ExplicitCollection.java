package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * A call of {@code System.gc()} ({@code jdk.SystemGC}).
 *
 * @param at when it was called
 * @param duration how long the caller waited
 * @param caller the innermost frame outside the JDK, else outside {@code Runtime.gc}; empty without
 *     a stack
 * @param forDirectBuffers whether the JDK called it itself, because direct buffers had reached
 *     their limit ({@code java.nio.Bits.reserveMemory}, {@code -XX:MaxDirectMemorySize})
 * @param source where this was read
 */
public record ExplicitCollection(
    Instant at, Duration duration, String caller, boolean forDirectBuffers, Source source)
    implements Sample {}
