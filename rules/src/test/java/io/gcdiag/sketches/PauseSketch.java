package io.gcdiag.sketches;

import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.util.Optional;
import java.util.OptionalLong;

/** A pause in the making: {@code young(61.5, 4.4).heap(202, 150, 256)}. */
public record PauseSketch(
    double second,
    double millis,
    PauseKind kind,
    String cause,
    Optional<HeapChange> heap,
    boolean outOfRoom) {

  public static PauseSketch young(double second, double millis) {
    return new PauseSketch(
        second, millis, PauseKind.YOUNG, "G1 Evacuation Pause", Optional.empty(), false);
  }

  public static PauseSketch mixed(double second, double millis) {
    return young(second, millis).kind(PauseKind.MIXED);
  }

  public static PauseSketch full(double second, double millis) {
    return young(second, millis).kind(PauseKind.FULL).cause("G1 Compaction Pause");
  }

  public PauseSketch at(double other) {
    return new PauseSketch(other, millis, kind, cause, heap, outOfRoom);
  }

  public PauseSketch kind(PauseKind other) {
    return new PauseSketch(second, millis, other, cause, heap, outOfRoom);
  }

  public PauseSketch cause(String other) {
    return new PauseSketch(second, millis, kind, other, heap, outOfRoom);
  }

  /** Heap in use before and after, and its size after, in MiB. */
  public PauseSketch heap(double usedBefore, double usedAfter, double committed) {
    return heap(new HeapChange(mebi(usedBefore), mebi(usedAfter), mebi(committed)));
  }

  public PauseSketch heap(HeapChange change) {
    return new PauseSketch(second, millis, kind, cause, Optional.of(change), outOfRoom);
  }

  public PauseSketch foundNoRoom() {
    return new PauseSketch(second, millis, kind, cause, heap, true);
  }

  public GcPause pause() {
    return new GcPause(
        IncidentBuilder.at(second),
        IncidentBuilder.millis(millis),
        kind,
        cause,
        OptionalLong.empty(),
        heap,
        outOfRoom,
        new Source(IncidentBuilder.RECORDING, "jdk.GarbageCollection"));
  }

  private static Bytes mebi(double mebi) {
    return Bytes.of(Math.round(mebi * (1 << 20)));
  }
}
