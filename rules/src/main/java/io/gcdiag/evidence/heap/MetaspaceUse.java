package io.gcdiag.evidence.heap;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * Class metadata after a collection ({@code jdk.MetaspaceSummary}).
 *
 * @param at when
 * @param used bytes in use
 * @param committed bytes committed
 * @param threshold committed size at which the next collection is forced
 * @param source where this was read
 */
public record MetaspaceUse(Instant at, Bytes used, Bytes committed, Bytes threshold, Source source)
    implements Sample {}
