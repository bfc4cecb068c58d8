package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.pauses.PauseType;
import io.gcdiag.ingest.gclog.text.LineStamp;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.ingest.gclog.text.SizeText;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * One stop-the-world pause as the log has it, as numbers: on its way from a line into {@link
 * LoggedPauses}, where it is copied, so that one object does for all pauses of a log. A collection
 * that is printed inside another one's pause (a full GC that a young one turned into) is part of
 * that pause, not a second one.
 */
public final class LoggedPause {

  /** When it began by the wall clock, in nanoseconds since 1970, or {@link Nanos#NO_TIME}. */
  public long wallClock = Nanos.NO_TIME;

  /** When it began, in nanoseconds since the JVM did, or {@link Nanos#NO_TIME}. */
  public long uptime = Nanos.NO_TIME;

  /** How long it lasted as printed, in nanoseconds, at least 0. */
  public long nanos;

  /**
   * What it was for, and why; a young collection that had to collect the old generation too is
   * {@link PauseKind#FULL}.
   */
  public PauseType type = new PauseType(PauseKind.OTHER, "", false);

  /** The number of the collection, if logged; several pauses may share one. Negative without. */
  public long gcId = -1;

  /** The line on which it is closed, counted from 1. */
  public long line;

  /** Whether the log states the whole heap around it, in its own resolution. */
  public boolean tellsHeap;

  public long usedBefore;
  public long usedAfter;
  public long committedAfter;

  /** Whether the line states the young generation around it; that is not kept. */
  public boolean tellsYoung;

  public long youngBefore;
  public long youngAfter;

  /** Whether CPU times are logged; in nanoseconds, of user and system over all threads. */
  public boolean tellsCpu;

  public long user;
  public long system;
  public long real;

  /** Sets the times to those of a stamp. */
  public void startsAt(LogStamp start) {
    wallClock = start.wallNanos();
    uptime = start.uptimeNanos();
  }

  /** Sets the times to those of a stamp so much earlier: see {@link LogStamp#minus}. */
  public void startsBefore(LineStamp end) {
    wallClock = end.wallClock() == Nanos.NO_TIME ? Nanos.NO_TIME : end.wallClock() - nanos;
    uptime = end.uptime() == Nanos.NO_TIME ? Nanos.NO_TIME : Math.max(0, end.uptime() - nanos);
  }

  /** Sets the sizes of the heap to those that were read last. */
  public void heap(SizeText sizes) {
    tellsHeap = true;
    usedBefore = sizes.before();
    usedAfter = sizes.after();
    committedAfter = sizes.committed();
  }

  /** The same of sizes that are there as an object. */
  public void heap(HeapChange heap) {
    tellsHeap = true;
    usedBefore = heap.usedBefore().value();
    usedAfter = heap.usedAfter().value();
    committedAfter = heap.committedAfter().value();
  }

  /** When it began. */
  public LogStamp start() {
    return LogStamp.of(wallClock, uptime);
  }

  /** How long it lasted. */
  public Duration duration() {
    return Duration.ofNanos(nanos);
  }

  /** What it was for. */
  public PauseKind kind() {
    return type.kind();
  }

  /** The heap around it, if logged. */
  public Optional<HeapChange> heap() {
    return tellsHeap
        ? Optional.of(
            new HeapChange(Bytes.of(usedBefore), Bytes.of(usedAfter), Bytes.of(committedAfter)))
        : Optional.empty();
  }

  /** Its CPU times, if logged. */
  public Optional<CpuTimes> cpu() {
    return tellsCpu
        ? Optional.of(
            new CpuTimes(Duration.ofNanos(user), Duration.ofNanos(system), Duration.ofNanos(real)))
        : Optional.empty();
  }

  /** Whether another one was read like it, on whatever line. */
  public boolean isLike(LoggedPause other) {
    return wallClock == other.wallClock
        && uptime == other.uptime
        && nanos == other.nanos
        && type.equals(other.type)
        && gcId == other.gcId
        && heap().equals(other.heap())
        && cpu().equals(other.cpu());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoggedPause pause && line == pause.line && isLike(pause);
  }

  @Override
  public int hashCode() {
    return Objects.hash(wallClock, uptime, nanos, line);
  }

  /** {@code YOUNG (Allocation Failure) of 31.7 ms on line 12}. */
  @Override
  public String toString() {
    return kind() + " (" + type.cause() + ") of " + duration() + " on line " + line;
  }
}
