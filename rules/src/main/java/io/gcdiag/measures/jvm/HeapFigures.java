package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.Window;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The figures of the heap in one window, each computed once, when it is first asked for: a log may
 * have a million pauses to go through. A figure rests on those above it and on no other.
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

  /** Those of a window. */
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

  /** What lives, by the best basis that the window has enough points of. */
  Optional<LiveSet> liveSet() {
    return liveSet.get();
  }

  /** The room after collections; empty if none is known. */
  public Optional<HeapRoom> room() {
    return room.get();
  }

  /** That the heap was made larger because it was short of room; empty if it was not. */
  public Optional<HeapExpansion> expansion() {
    return expansion.get();
  }

  /** What it cost that the heap was not at its maximum size. */
  public ResizingCost resizing() {
    return resizing.get();
  }

  /** How much room the heap has for what lives in it. */
  public HeapHeadroom headroom() {
    return headroom.get();
  }

  /** Seconds stopped that a heap with as much free as is wanted would have saved. */
  public double shortSeconds() {
    return shortSeconds.get();
  }

  /** The median length, in seconds, of the pauses of each kind that have no cause of their own. */
  public Map<PauseKind, Double> ordinarySeconds() {
    return ordinarySeconds.get();
  }

  /** Full GCs that a humongous allocation came to. */
  public Set<GcPause> humongousFulls() {
    return humongousFulls.get();
  }

  /** Collections come as often as what is free fills up: with more free there would be fewer. */
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
