package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.evidence.pauses.PauseType;
import io.gcdiag.ingest.gclog.text.LineStamp;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.ingest.gclog.text.PackedWords;
import io.gcdiag.ingest.gclog.text.SizeText;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A {@link LoggedPause} as numbers, on its way from a line into {@link PackedPauses}. */
public final class PauseFigures {

  /** Nanoseconds, or {@link PackedWords#NO_TIME}. */
  public long wallClock;

  /** Nanoseconds, or {@link PackedWords#NO_TIME}. */
  public long uptime;

  /** How long it lasted, in nanoseconds. */
  public long nanos;

  public PauseType type;

  /** Sizes in bytes, if there are any. */
  public final SizeText sizes = new SizeText();

  public boolean tellsHeap;

  /** Sizes of the young generation in bytes, if there are any. */
  public final SizeText young = new SizeText();

  public boolean tellsYoung;

  /** CPU times in nanoseconds, if there are any. */
  public boolean tellsCpu;

  public long user;
  public long system;
  public long real;

  /** The number of the collection; negative if it has none. */
  public long gcId;

  public long line;

  /** Sets the times to those of a stamp so much earlier: see {@link LogStamp#minus}. */
  public void startsBefore(LineStamp end) {
    wallClock =
        end.wallClock() == PackedWords.NO_TIME ? PackedWords.NO_TIME : end.wallClock() - nanos;
    uptime =
        end.uptime() == PackedWords.NO_TIME
            ? PackedWords.NO_TIME
            : Math.max(0, end.uptime() - nanos);
  }

  /** The same as an object. */
  public LoggedPause pause() {
    Optional<HeapChange> heap =
        tellsHeap
            ? Optional.of(
                new HeapChange(
                    Bytes.of(sizes.before()), Bytes.of(sizes.after()), Bytes.of(sizes.committed())))
            : Optional.empty();
    return new LoggedPause(
        PackedWords.stamp(wallClock, uptime),
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
