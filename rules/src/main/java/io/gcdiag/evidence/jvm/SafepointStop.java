package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;

/**
 * One safepoint: all application threads were stopped, an operation was executed, and they
 * continued.
 *
 * @param start when the JVM began to stop the threads
 * @param reaching time until all threads had stopped
 * @param at how long they were stopped after that
 * @param operation the JVM's name of the operation; empty if unknown
 * @param collection whether it was a collection, whose pause is recorded separately
 * @param source where this was read
 */
public record SafepointStop(
    Instant start,
    Duration reaching,
    Duration at,
    String operation,
    boolean collection,
    Source source) {

  /** Time that the application lost, without GC pauses. */
  public Duration lost() {
    return collection ? reaching : reaching.plus(at);
  }

  /**
   * The same, marked as a collection if it contains one: a class histogram or a heap dump may
   * collect the heap first, and that pause already has the lost time.
   */
  public SafepointStop beside(Pauses pauses) {
    if (collection || pauses.isEmpty() || !VmOperations.isOfTool(operation)) {
      return this;
    }
    Window whole = new Window(start, start.plus(reaching).plus(at).plusNanos(1));
    return pauses.within(whole).isEmpty()
        ? this
        : new SafepointStop(start, reaching, at, operation, true, source);
  }

  /** Whether it is for observing the incident: a thread dump, or the recorder. */
  public boolean isObservation() {
    return VmOperations.isObservation(operation);
  }
}
