package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.ingest.gclog.text.LogStamp;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One stop-the-world pause as the log has it. A collection that is printed inside another one's
 * pause (a full GC that a young one turned into) is part of that pause, not a second one.
 *
 * @param start when the pause began
 * @param duration how long it lasted as printed, at least 0
 * @param kind what it was for; a young collection that had to collect the old generation too is
 *     {@link PauseKind#FULL}
 * @param cause the JVM's words for the cause, such as {@code G1 Evacuation Pause}; empty when not
 *     given
 * @param heap memory around it
 * @param cpu CPU time, if logged
 * @param gcId the JVM's number of the collection, if logged; several pauses may share one
 * @param line the line on which the pause is closed, counted from 1
 */
public record LoggedPause(
    LogStamp start,
    Duration duration,
    PauseKind kind,
    String cause,
    LoggedHeap heap,
    Optional<CpuTimes> cpu,
    OptionalLong gcId,
    long line) {

  /** Checks the duration. */
  public LoggedPause {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a pause cannot last a negative time: " + duration);
    }
  }

  LoggedPause withCpu(CpuTimes times) {
    return new LoggedPause(start, duration, kind, cause, heap, Optional.of(times), gcId, line);
  }

  public LoggedPause withHeap(LoggedHeap other) {
    return new LoggedPause(start, duration, kind, cause, other, cpu, gcId, line);
  }
}
