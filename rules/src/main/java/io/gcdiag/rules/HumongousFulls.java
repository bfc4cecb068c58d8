package io.gcdiag.rules;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.PauseKind;
import io.gcdiag.evidence.PauseType;
import io.gcdiag.evidence.Pauses;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Full collections that a humongous allocation came to. G1 first tries a young collection, with the
 * cause "G1 Humongous Allocation"; if there is still no stretch of free regions long enough, it
 * collects the whole heap at the same safepoint, and prints that with a cause that names no reason
 * (VM_G1CollectForAllocation, g1VMOperations.cpp; satisfy_failed_allocation, g1CollectedHeap.cpp).
 */
final class HumongousFulls {

  /** One operation at one safepoint: nothing runs between the two. Logs round to milliseconds. */
  private static final Duration SAME_OPERATION = Duration.ofMillis(5);

  private final Set<GcPause> fulls;

  private HumongousFulls(Pauses pauses) {
    fulls = Set.copyOf(among(pauses));
  }

  /** Those that start in the window. */
  static Set<GcPause> in(Timeline timeline, Window window) {
    return timeline.derived(
            HumongousFulls.class, window, () -> new HumongousFulls(timeline.pauses(window)))
        .fulls;
  }

  /** Those among the pauses, which are in the order of their starts. */
  private static Set<GcPause> among(Pauses pauses) {
    Set<GcPause> fulls = new HashSet<>();
    if (!pauses.anyOfType(HumongousFulls::isHumongous)) {
      return fulls;
    }
    Pauses collections = pauses.ofType(type -> !isPartOfMarking(type));
    boolean humongous = false;
    for (int i = 0; i < collections.size(); i++) {
      PauseType type = collections.type(i);
      if (type.kind() == PauseKind.FULL && CollectionCause.isOrdinary(type)) {
        humongous = humongous && follows(collections, i);
        if (humongous) {
          fulls.add(collections.get(i));
        }
      } else {
        humongous = isHumongous(type);
      }
    }
    return fulls;
  }

  private static boolean follows(Pauses collections, int index) {
    return index > 0
        && Nanos.plus(collections.endNanos(index - 1), SAME_OPERATION.toNanos())
            >= collections.startNanos(index);
  }

  private static boolean isHumongous(PauseType type) {
    return CollectionCause.of(type).filter(Hypothesis.HUMONGOUS_ALLOCATION::equals).isPresent();
  }

  private static boolean isPartOfMarking(PauseType type) {
    return type.kind() == PauseKind.REMARK || type.kind() == PauseKind.CLEANUP;
  }
}
