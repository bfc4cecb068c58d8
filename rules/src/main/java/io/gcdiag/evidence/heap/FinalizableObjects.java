package io.gcdiag.evidence.heap;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Objects of one class that have a finalizer, at one moment.
 *
 * @param at when they were counted
 * @param type the class
 * @param objects how many are in the heap whose finalizer has not run
 * @param finalized how many finalizers of the class have run since the JVM began
 * @param source where this was read
 */
public record FinalizableObjects(
    Instant at, String type, long objects, long finalized, Source source) implements Sample {}
