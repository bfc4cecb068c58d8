package io.gcdiag.evidence.time;

/**
 * Samples of a window, counted.
 *
 * @param java all samples of threads that executed Java code
 * @param onRequestThreads those of them on request threads
 * @param interpreted those whose innermost frame ran in the interpreter
 * @param creatingExceptions those inside the creation of an exception; the walk over the stack
 *     itself is done by the JVM and cannot be sampled, so this is a lower bound
 */
public record SampleCounts(
    long java, long onRequestThreads, long interpreted, long creatingExceptions) {}
