package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Classes loaded since the JVM's start ({@code jdk.ClassLoadingStatistics}).
 *
 * @param at when it was read
 * @param loaded classes loaded so far
 */
public record ClassLoads(Instant at, long loaded) implements Sample {}
