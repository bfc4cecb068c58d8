package io.gcdiag.evidence;

import java.time.Duration;
import java.time.Instant;

/**
 * One safepoint: all application threads were brought to a stop, something was done, they went on.
 *
 * @param start when the JVM began to stop the threads
 * @param reaching how long it took until all had stopped
 * @param at how long they stood
 * @param operation the JVM's name of what was done; empty where it is not known
 * @param collection whether it was a collection, whose pause is told on its own
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

  /** Whether somebody's looking at the trouble asked for it: a thread dump, or the recorder. */
  public boolean isObservation() {
    return VmOperations.isObservation(operation);
  }
}
