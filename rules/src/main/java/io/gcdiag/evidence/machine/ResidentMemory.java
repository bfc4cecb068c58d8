package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * What of the process is in memory ({@code jdk.ResidentSetSize}, JDK 21 and later).
 *
 * @param at when
 * @param inUse bytes in memory, shared pages included
 * @param source where this was read
 */
public record ResidentMemory(Instant at, Bytes inUse, Source source) implements Sample {}
