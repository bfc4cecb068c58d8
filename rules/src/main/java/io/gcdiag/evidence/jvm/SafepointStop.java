package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;

/**
 * One safepoint: all application threads were brought to a stop, something was done, they went on.
 *
 * @param start when the JVM began to stop the threads
 * @param reaching how long it took until all had stopped
 * @param at how long they stood
 * @param operation the JVM's name of what was done; empty where it is not known
 * @param collection whether it was a collection, whose pause is recorded on its own
 * @param source where this was read
 */
public record SafepointStop(
    Instant start,
    Duration reaching,
    Duration at,
    String operation,
    boolean collection,
    Source source) {

  /** What the application lost beside the collector's pauses. */
  public Duration lost() {
    return collection ? reaching : reaching.plus(at);
  }

  /**
   * The same as a collection if one was made inside: a class histogram or a heap dump may have the
   * heap collected first, and that pause stands for what the service loses.
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
