package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * The limit of the container's memory; there is no sample of a container without one.
 *
 * @param at when it was read
 * @param limit bytes
 * @param source where this was read
 */
public record MemoryLimit(Instant at, Bytes limit, Source source) implements Sample {}
