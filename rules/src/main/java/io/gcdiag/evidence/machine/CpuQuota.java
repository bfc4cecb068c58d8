package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The CPU quota of the container that the JVM runs in.
 *
 * @param at when it was read
 * @param quota CPU time that its threads may use in each period; empty without a limit
 * @param period the period: {@code cpu.cfs_period_us}, or the second number in {@code cpu.max}
 * @param source where it was read
 */
public record CpuQuota(Instant at, Optional<Duration> quota, Duration period, Source source)
    implements Sample {}
