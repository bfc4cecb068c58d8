package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * The container's throttling counters: {@code cpu.stat} of the control group. They count since the
 * container started; two readings and their difference say something.
 *
 * @param at when they were read
 * @param periods periods in which any thread was runnable ({@code nr_periods}); 0 without a quota
 * @param throttled those in which the quota was used up ({@code nr_throttled})
 * @param throttledTime for how long threads were kept from running, summed over the cores ({@code
 *     throttled_time}, {@code throttled_usec})
 * @param source where it was read
 */
public record ThrottleCount(
    Instant at, long periods, long throttled, Duration throttledTime, Source source)
    implements Sample {}
