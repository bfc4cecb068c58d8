package io.gcdiag.ingest.gclog.store;

import java.time.Duration;

/**
 * CPU time of one pause as printed, in steps of 10 ms.
 *
 * @param user user time over all threads of the collector
 * @param system system time over all threads of the collector
 * @param real elapsed time
 */
public record CpuTimes(Duration user, Duration system, Duration real) {}
