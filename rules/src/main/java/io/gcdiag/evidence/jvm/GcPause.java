package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One stop-the-world GC pause, without the time to reach the safepoint.
 *
 * @param start when the application stopped
 * @param duration how long it was stopped, at least 0
 * @param type kind and cause
 * @param gcId the JVM's number of the collection; one collection may have several pauses
 * @param heap the heap around it, if known
 * @param source where this was read
 */
public record GcPause(
    Instant start,
    Duration duration,
    PauseType type,
    OptionalLong gcId,
    Optional<HeapChange> heap,
    Source source) {

  public GcPause {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a pause cannot last a negative time: " + duration);
    }
  }

  /** A pause with a new type. */
  public GcPause(
      Instant start,
      Duration duration,
      PauseKind kind,
      String cause,
      OptionalLong gcId,
      Optional<HeapChange> heap,
      boolean evacuationFailure,
      Source source) {
    this(start, duration, new PauseType(kind, cause, evacuationFailure), gcId, heap, source);
  }

  public PauseKind kind() {
    return type.kind();
  }

  /** When the application went on. */
  public Instant end() {
    return start.plus(duration);
  }
}
