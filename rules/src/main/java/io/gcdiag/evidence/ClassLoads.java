package io.gcdiag.evidence;

import java.time.Instant;

/**
 * Classes loaded and unloaded since the JVM's start ({@code jdk.ClassLoadingStatistics}).
 *
 * @param at when it was read
 * @param loaded classes loaded so far
 * @param unloaded classes unloaded so far
 * @param source where this was read
 */
public record ClassLoads(Instant at, long loaded, long unloaded, Source source) implements Sample {}
