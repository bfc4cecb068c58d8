package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.PauseType;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A {@link LoggedPause} as numbers, on its way from a line into {@link PackedPauses}. */
final class PauseFigures {

  /** Nanoseconds, or {@link Packing#NO_TIME}. */
  long wallClock;

  /** Nanoseconds, or {@link Packing#NO_TIME}. */
  long uptime;

  /** How long it lasted, in nanoseconds. */
  long nanos;

  PauseType type;

  /** Sizes in bytes, if there are any. */
  final SizeText sizes = new SizeText();

  boolean tellsHeap;

  /** Sizes of the young generation in bytes, if there are any. */
  final SizeText young = new SizeText();

  boolean tellsYoung;

  /** CPU times in nanoseconds, if there are any. */
  boolean tellsCpu;

  long user;
  long system;
  long real;

  /** The number of the collection; negative if it has none. */
  long gcId;

  long line;

  /** Sets the times to those of a stamp so much earlier: see {@link LogStamp#minus}. */
  void startsBefore(LineStamp end) {
    wallClock = end.wallClock() == Packing.NO_TIME ? Packing.NO_TIME : end.wallClock() - nanos;
    uptime = end.uptime() == Packing.NO_TIME ? Packing.NO_TIME : Math.max(0, end.uptime() - nanos);
  }

  /** The same as an object. */
  LoggedPause pause() {
    Optional<HeapChange> heap =
        tellsHeap
            ? Optional.of(
                new HeapChange(
                    Bytes.of(sizes.before()), Bytes.of(sizes.after()), Bytes.of(sizes.committed())))
            : Optional.empty();
    return new LoggedPause(
        Packing.stamp(wallClock, uptime),
        Duration.ofNanos(nanos),
        type.kind(),
        type.cause(),
        new LoggedHeap(heap, type.evacuationFailure()),
        cpu(),
        gcId < 0 ? OptionalLong.empty() : OptionalLong.of(gcId),
        line);
  }

  private Optional<CpuTimes> cpu() {
    return tellsCpu
        ? Optional.of(
            new CpuTimes(Duration.ofNanos(user), Duration.ofNanos(system), Duration.ofNanos(real)))
        : Optional.empty();
  }
}
