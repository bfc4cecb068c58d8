package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Prediction;
import io.gcdiag.measures.Case;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The size of the heap that a service wants, and what that and larger ones would bring. */
final class WantedHeap {

  /** Heaps worth trying beside the one that is wanted: twice and four times as large. */
  private static final double[] LARGER = {2, 4};

  /** After a full GC that much of the heap is to be free: HotSpot's MinHeapFreeRatio. */
  private static final double FREE = 0.4;

  /** A larger heap is worth a restart if it is larger by a quarter at least. */
  private static final double STEP = 1.25;

  private static final double MEBI = 1 << 20;

  private final Case incident;
  private final Optional<HeapUse> use;

  WantedHeap(Case incident) {
    this.incident = incident;
    this.use = HeapUse.of(incident);
  }

  /** Predicts the one that is wanted, and larger ones. */
  List<Prediction> predictions(Cause cause) {
    if (use.isEmpty()) {
      return List.of(
          new CauseRemoved(incident, cause)
              .refused("these files show the heap around too few GCs"));
    }
    double now =
        incident
            .timeline()
            .jvm()
            .maxHeap()
            .map(Bytes::value)
            .orElse(Math.round(use.get().heapBytes()));
    List<Prediction> predictions = new ArrayList<>();
    Optional<Bytes> wanted = bytes();
    wanted.ifPresent(heap -> predictions.addAll(larger(cause, now, heap)));
    for (double factor : LARGER) {
      Bytes heap = Bytes.of(Math.round(now * factor));
      if (wanted.filter(smaller -> smaller.compareTo(heap) >= 0).isEmpty()) {
        predictions.addAll(larger(cause, now, heap));
      }
    }
    return predictions;
  }

  private List<Prediction> larger(Cause cause, double now, Bytes heap) {
    return new HeapSizes(incident, cause.hypothesis(), use)
        .at("heap x " + Numbers.threeDigits(heap.value() / now) + " = " + heap, heap);
  }

  /**
   * The smallest heap, in whole MiB, that leaves enough free after a full GC; twice the present one
   * if no file shows what lives. Empty if the present one is not known. It follows from the live
   * set and from nothing else: what pauses would cost rests on figures of pauses that differ from
   * file to file, and is predicted beside it.
   */
  Optional<Bytes> bytes() {
    return incident
        .timeline()
        .jvm()
        .maxHeap()
        .map(max -> (double) max.value())
        .map(
            now -> use.map(known -> Math.max(known.heapWithFree(FREE), STEP * now)).orElse(2 * now))
        .map(WantedHeap::mebis);
  }

  private static Bytes mebis(double bytes) {
    return Bytes.of(Math.round(Math.ceil(bytes / MEBI) * MEBI));
  }
}
