package io.gcdiag.evidence.time;

/**
 * Number of samples in a window.
 *
 * @param java all samples of threads running Java code
 * @param onRequestThreads those of request threads
 * @param interpreted those whose innermost frame was interpreted
 * @param creatingExceptions those inside the creation of an exception; a lower bound, because the
 *     JVM walks the stack itself and cannot be sampled meanwhile
 */
public record SampleCounts(
    long java, long onRequestThreads, long interpreted, long creatingExceptions) {}
