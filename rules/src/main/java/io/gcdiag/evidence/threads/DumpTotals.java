package io.gcdiag.evidence.threads;

import java.time.Duration;

/**
 * What a dump says of the JVM as a whole. HotSpot prints both for each thread since JDK 11 ({@code
 * Thread::print_on}).
 *
 * @param upFor how long its oldest thread has lived, to the hundredth of a second: between two
 *     dumps of one JVM it grows by the time that has passed
 * @param ownCpu CPU time that the JVM's threads that run no Java code have used since they began:
 *     those of the collector, and the one that makes the application stop
 */
public record DumpTotals(Duration upFor, Duration ownCpu) {}
