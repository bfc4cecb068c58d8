package io.gcdiag.rules;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.PauseKind;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
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

  private HumongousFulls(List<GcPause> pauses) {
    fulls = Set.copyOf(among(pauses));
  }

  /** Those that start in the window. */
  static Set<GcPause> in(Timeline timeline, Window window) {
    return timeline.derived(
            HumongousFulls.class, window, () -> new HumongousFulls(timeline.pauses(window)))
        .fulls;
  }

  /** Those among the pauses, which are in the order of their starts. */
  private static Set<GcPause> among(List<GcPause> pauses) {
    Set<GcPause> fulls = new HashSet<>();
    boolean humongous = false;
    GcPause last = null;
    for (GcPause pause : pauses) {
      if (isPartOfMarking(pause)) {
        continue;
      }
      if (pause.kind() == PauseKind.FULL && CollectionCause.of(pause).isEmpty()) {
        humongous = humongous && follows(pause, last);
        if (humongous) {
          fulls.add(pause);
        }
      } else {
        humongous =
            CollectionCause.of(pause).filter(Hypothesis.HUMONGOUS_ALLOCATION::equals).isPresent();
      }
      last = pause;
    }
    return fulls;
  }

  private static boolean follows(GcPause pause, GcPause last) {
    return last != null && !last.end().plus(SAME_OPERATION).isBefore(pause.start());
  }

  private static boolean isPartOfMarking(GcPause pause) {
    return pause.kind() == PauseKind.REMARK || pause.kind() == PauseKind.CLEANUP;
  }
}
