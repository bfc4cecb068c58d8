package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.FullHeap.HumongousFulls;
import io.gcdiag.measures.jvm.LiveSet.HeapLeft;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The heap figures of one window, each computed once, when it is first asked for: a log may have a
 * million pauses. A figure depends only on those above it.
 */
public final class HeapFigures {

  private final Lazy<HeapLeft> left;
  private final Lazy<Optional<LiveSet>> liveSet;
  private final Lazy<Optional<HeapRoom>> room;
  private final Lazy<Optional<HeapExpansion>> expansion;
  private final Lazy<ResizingCost> resizing;
  private final Lazy<HeapHeadroom> headroom;
  private final Lazy<Set<GcPause>> humongousFulls;
  private final Lazy<Double> shortSeconds;
  private final Lazy<Map<PauseKind, Double>> ordinarySeconds;

  public HeapFigures(Timeline timeline, Window window) {
    left = new Lazy<>(() -> HeapLeft.in(timeline, window));
    liveSet = new Lazy<>(() -> LiveSet.in(timeline, window, left.get()));
    room = new Lazy<>(() -> HeapRoom.after(timeline, window));
    expansion = new Lazy<>(() -> HeapExpansion.first(timeline, window));
    resizing = new Lazy<>(() -> ResizingCost.in(timeline, window));
    headroom =
        new Lazy<>(
            () ->
                HeapHeadroom.in(
                    timeline,
                    window,
                    LiveSet.cleared(left.get()),
                    room(),
                    expansion(),
                    resizing()));
    humongousFulls = new Lazy<>(() -> HumongousFulls.among(timeline.pauses(window)));
    shortSeconds = new Lazy<>(() -> shortSeconds(timeline, window));
    ordinarySeconds =
        new Lazy<>(
            () ->
                CollectionTrigger.typicalSeconds(
                    timeline.pauses(window).ofType(CollectionTrigger::isOrdinary)));
  }

  /** The live set, by the best basis for which the window has enough points. */
  Optional<LiveSet> liveSet() {
    return liveSet.get();
  }

  /** Free memory after GC; empty if unknown. */
  public Optional<HeapRoom> room() {
    return room.get();
  }

  /** The enlargement of a heap that was too full; empty if there was none. */
  public Optional<HeapExpansion> expansion() {
    return expansion.get();
  }

  /** Cost of starting below the maximum heap size. */
  public ResizingCost resizing() {
    return resizing.get();
  }

  /** Whether the heap is large enough for its live set. */
  public HeapHeadroom headroom() {
    return headroom.get();
  }

  /** Seconds of pauses that a heap with the wanted free share would have saved. */
  public double shortSeconds() {
    return shortSeconds.get();
  }

  /** Median length in seconds of the pauses without a special trigger, by kind. */
  public Map<PauseKind, Double> ordinarySeconds() {
    return ordinarySeconds.get();
  }

  /** Full GCs caused by humongous allocations. */
  public Set<GcPause> humongousFulls() {
    return humongousFulls.get();
  }

  /**
   * The interval between collections is the time in which the free memory fills up, so with more
   * free memory there are fewer.
   */
  private double shortSeconds(Timeline timeline, Window window) {
    double wanted = headroom().wanted();
    Pauses pauses = timeline.pauses(window);
    double seconds = 0;
    for (int i = 0; i < pauses.size(); i++) {
      if (pauses.tellsHeap(i) && CollectionTrigger.isOrdinary(pauses.type(i))) {
        double used = pauses.usedAfter(i);
        double free = pauses.committedAfter(i) - used;
        double enough = used * wanted / (1 - wanted);
        seconds += enough > free ? pauses.seconds(i) * (1 - free / enough) : 0;
      }
    }
    return seconds;
  }
}
