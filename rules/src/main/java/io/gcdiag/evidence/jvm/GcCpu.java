package io.gcdiag.evidence.jvm;

import java.time.Duration;
import java.time.Instant;

/**
 * CPU time that one collection's pause took.
 *
 * @param at when the pause ended
 * @param user user time over all threads
 * @param system system time over all threads
 * @param real elapsed time; the JVM gives all three in steps of about 10 ms
 * @param file where this was read
 */
public record GcCpu(Instant at, Duration user, Duration system, Duration real, String file) {}
