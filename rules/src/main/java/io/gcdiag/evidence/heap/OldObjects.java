package io.gcdiag.evidence.heap;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * Sampled objects that were still reachable when the recording was written ({@code
 * jdk.OldObjectSample}), summed up by class, site and holder.
 *
 * @param at when the recording looked
 * @param className in source form
 * @param allocatedAt the frame that allocated them; empty without a stack
 * @param holders the chain of fields from the object towards a root, innermost first; empty if the
 *     recording did not follow it
 * @param count how many samples
 * @param youngest the least time since one of them was allocated
 * @param oldest the greatest
 * @param source where this was read
 */
public record OldObjects(
    Instant at,
    String className,
    String allocatedAt,
    String holders,
    long count,
    Duration youngest,
    Duration oldest,
    Source source)
    implements Sample {}
