package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One stop-the-world pause of a collector. Time to reach the safepoint is not part of it.
 *
 * @param start when the application stopped
 * @param duration how long it was stopped, at least 0
 * @param type what pauses like it have in common: what it was for, and why
 * @param gcId the JVM's number of the collection; one collection may pause more than once
 * @param heap the heap around it, where known
 * @param source where this was read
 */
public record GcPause(
    Instant start,
    Duration duration,
    PauseType type,
    OptionalLong gcId,
    Optional<HeapChange> heap,
    Source source) {

  /** Checks the duration. */
  public GcPause {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a pause cannot last a negative time: " + duration);
    }
  }

  /** The same with a type of its own. */
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

  /** What the pause was for. */
  public PauseKind kind() {
    return type.kind();
  }

  /** When the application went on. */
  public Instant end() {
    return start.plus(duration);
  }
}
