package io.gcdiag.evidence.pauses;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * One cycle of a collector that clears the heap while the application runs (ZGC, Shenandoah).
 *
 * @param at when it ended
 * @param usedAfter bytes in use when it ended, what was allocated meanwhile among them
 * @param whole whether it cleared the whole heap; if not, the young generation alone
 * @param source where this was read
 */
public record ConcurrentCycle(Instant at, Bytes usedAfter, boolean whole, Source source)
    implements Sample {}
