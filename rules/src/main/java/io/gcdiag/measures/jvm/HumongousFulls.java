package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Full GCs caused by humongous allocations. There are two kinds:
 *
 * <ul>
 *   <li>G1 first tries a young collection with the cause "G1 Humongous Allocation". If there are
 *       still not enough contiguous free regions, it collects the whole heap at the same safepoint,
 *       and prints that with an unspecific cause (VM_G1CollectForAllocation, g1VMOperations.cpp;
 *       satisfy_failed_allocation, g1CollectedHeap.cpp).
 *   <li>Humongous objects fill the heap until an ordinary allocation finds no region. The full GC
 *       then clears what no collection since the last full GC could: garbage outside the young
 *       generation. A humongous allocation had triggered one of these collections.
 * </ul>
 */
final class HumongousFulls {

  /**
   * Both collections are one operation at one safepoint, with nothing in between. Logs round to
   * milliseconds.
   */
  private static final Duration SAME_OPERATION = Duration.ofMillis(5);

  private HumongousFulls() {}

  /** Those among the given pauses, which must be in order of start. */
  static Set<GcPause> among(Pauses pauses) {
    Set<GcPause> fulls = new HashSet<>();
    if (!pauses.anyOfType(HumongousFulls::isHumongous)) {
      return fulls;
    }
    Pauses collections = pauses.ofType(type -> !CollectionTrigger.endsMarking(type.kind()));
    boolean last = false;
    boolean sinceFull = false;
    boolean cleared = false;
    for (int i = 0; i < collections.size(); i++) {
      PauseType type = collections.type(i);
      boolean full = type.kind() == PauseKind.FULL;
      if (full && CollectionTrigger.isOrdinary(type)) {
        last = last && follows(collections, i);
        if (last || sinceFull && !cleared && clears(collections, i)) {
          fulls.add(collections.get(i));
        }
      } else {
        last = isHumongous(type);
      }
      sinceFull = !full && (sinceFull || last);
      cleared = !full && (cleared || !collections.tellsHeap(i) || clears(collections, i));
    }
    return fulls;
  }

  private static boolean clears(Pauses collections, int index) {
    return collections.tellsHeap(index)
        && collections.usedBefore(index) - collections.usedAfter(index)
            >= Policy.NOTABLE * collections.usedBefore(index);
  }

  /** Whether the collection began in the same operation as the one before it. */
  static boolean follows(Pauses collections, int index) {
    return index > 0
        && Nanos.plus(collections.endNanos(index - 1), SAME_OPERATION.toNanos())
            >= collections.startNanos(index);
  }

  private static boolean isHumongous(PauseType type) {
    return CollectionTrigger.of(type) == CollectionTrigger.HUMONGOUS;
  }
}
