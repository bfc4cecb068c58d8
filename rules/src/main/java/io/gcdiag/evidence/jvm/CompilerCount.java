package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * A reading of the JIT compilers' counters.
 *
 * @param at when
 * @param compiled methods compiled since the JVM began
 */
public record CompilerCount(Instant at, long compiled) implements Sample {}
