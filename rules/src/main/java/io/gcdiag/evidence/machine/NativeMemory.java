package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * What one part of the JVM has committed ({@code jdk.NativeMemoryUsage}), with {@code
 * -XX:NativeMemoryTracking}.
 *
 * @param at when
 * @param part such as {@code Thread} or {@code Code}, in HotSpot's words
 * @param committed bytes
 * @param source where this was read
 */
public record NativeMemory(Instant at, String part, Bytes committed, Source source)
    implements Sample {}
