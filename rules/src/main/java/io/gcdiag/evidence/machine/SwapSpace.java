package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.Optional;

/**
 * Swap space in use on the machine, or of a container that has a limit of memory by what is its
 * own.
 *
 * @param at when it was read
 * @param used what is in use
 * @param total all of it, where known; zero on a machine without
 * @param source where it was read
 */
public record SwapSpace(Instant at, Bytes used, Optional<Bytes> total, Source source)
    implements Sample {}
