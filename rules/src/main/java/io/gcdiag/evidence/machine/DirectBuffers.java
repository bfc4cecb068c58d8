package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * The direct buffers of {@code ByteBuffer.allocateDirect} ({@code jdk.DirectBufferStatistics}).
 *
 * @param at when
 * @param count how many there are
 * @param inUse bytes they hold, without what aligns them
 * @param limit {@code -XX:MaxDirectMemorySize}, or what stands for it
 * @param source where this was read
 */
public record DirectBuffers(Instant at, long count, Bytes inUse, Bytes limit, Source source)
    implements Sample {}
