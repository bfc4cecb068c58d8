package io.gcdiag.evidence.threads;

import java.time.Duration;

/**
 * Figures of a dump for the JVM as a whole. HotSpot prints both per thread since JDK 11 ({@code
 * Thread::print_on}).
 *
 * @param upFor age of the oldest thread, in steps of 10 ms; it grows by the time between two dumps
 *     of one JVM
 * @param ownCpu CPU time used so far by the threads that run no Java code: GC threads and the VM
 *     thread, which executes safepoint operations
 */
public record DumpTotals(Duration upFor, Duration ownCpu) {}
