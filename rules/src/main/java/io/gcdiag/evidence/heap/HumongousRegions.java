package io.gcdiag.evidence.heap;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Regions of G1 that held large objects at a collection.
 *
 * @param at when the collection ended
 * @param before how many there were before it, 0 or more
 * @param after how many it left, 0 or more
 * @param source where it was read
 */
public record HumongousRegions(Instant at, int before, int after, Source source)
    implements Sample {}
