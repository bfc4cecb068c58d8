package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType.PauseTypeProperty;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.util.BitSet;
import java.util.Map;

/**
 * Cost of starting below the maximum heap size: the pauses that would not have happened with the
 * initial size set to the maximum, all else unchanged.
 *
 * <ul>
 *   <li>A full GC that was not requested, although the heap after it fits under the maximum size
 *       with the wanted free share. Parallel and Serial collect the whole heap when the committed
 *       old generation is full or had to grow during a young collection, and only then enlarge it
 *       (JDK 17; JDK 25 enlarges it instead).
 *   <li>Any other collection of a heap short of memory, by the share of collections that the larger
 *       heap would have saved: a collection is due when the free memory is filled.
 *   <li>A pause that resized the heap, by its excess over others of its kind: new pages are
 *       committed and touched in it.
 * </ul>
 *
 * <p>Only up to the last resize: what a heap of constant size suffers from is not its growth.
 *
 * @param resizes pauses in which the committed size changed
 * @param saved pauses that would mostly not have happened
 */
public record ResizingCost(Pauses resizes, Pauses saved, double seconds) {

  static ResizingCost in(Timeline timeline, Window window) {
    BitSet resized = resized(timeline, window);
    if (resized.isEmpty() || timeline.jvm().keepsHeapSize()) {
      return new ResizingCost(Pauses.none(), Pauses.none(), 0);
    }
    Pauses pauses = timeline.pauses(window);
    long last = pauses.startNanos(resized.length() - 1);
    Map<PauseKind, Double> others =
        CollectionTrigger.typicalSeconds(pauses.where(i -> !resized.get(i)));
    PauseTypeProperty<Boolean> isOrdinary = new PauseTypeProperty<>(CollectionTrigger::isOrdinary);
    double ceiling = timeline.jvm().maxHeap().map(Bytes::value).orElse(0L);
    double wanted = HeapRoom.Wanted.of(timeline.jvm()).ratio().value();
    BitSet saved = new BitSet();
    double seconds = 0;
    for (int i = 0; i < pauses.size() && pauses.startNanos(i) <= last; i++) {
      if (pauses.tellsHeap(i) && isOrdinary.of(pauses.type(i))) {
        double length = pauses.seconds(i);
        double typical = resized.get(i) ? others.getOrDefault(pauses.kind(i), 0.0) : 0;
        double longer = typical > 0 ? Math.max(0, length - typical) : 0;
        double cost = Math.max(longer, savedShare(pauses, i, ceiling, wanted) * length);
        seconds += cost;
        if (cost > Policy.MAJORITY * length) {
          saved.set(i);
        }
      }
    }
    return new ResizingCost(pauses.where(resized::get), pauses.where(saved::get), seconds);
  }

  /** The share of such a pause that the maximum heap would have saved. */
  private static double savedShare(Pauses pauses, int index, double ceiling, double wanted) {
    double committed = pauses.committedAfter(index);
    double used = pauses.usedAfter(index);
    if (committed <= 0 || committed >= HeapHeadroom.AT_CEILING * ceiling) {
      return 0;
    }
    double freeAtCeiling = 1 - used / ceiling;
    if (pauses.kind(index) == PauseKind.FULL) {
      return freeAtCeiling >= wanted ? 1 : 0;
    }
    double free = HeapHeadroom.free(pauses.usedAfter(index), pauses.committedAfter(index));
    return free >= wanted ? 0 : 1 - (committed - used) / (ceiling - used);
  }

  /**
   * Pauses after which the committed size differs from that after the previous pause, by their
   * index in the window; some collectors change it nearly every time.
   */
  private static BitSet resized(Timeline timeline, Window window) {
    BitSet resized = new BitSet();
    Pauses all = timeline.pauses();
    long from = Nanos.since1970(window.from());
    long to = Nanos.since1970(window.to());
    int place = 0;
    long committed = -1;
    for (int i = 0; i < all.size() && all.startNanos(i) < to; i++) {
      boolean inside = all.startNanos(i) >= from;
      if (all.tellsHeap(i)) {
        long now = all.committedAfter(i);
        resized.set(place, inside && committed >= 0 && now != committed);
        committed = now;
      }
      place += inside ? 1 : 0;
    }
    return resized;
  }
}
