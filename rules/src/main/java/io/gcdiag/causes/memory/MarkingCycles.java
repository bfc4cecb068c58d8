package io.gcdiag.causes.memory;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What came of G1's concurrent cycles: mixed GCs, which free old regions, or none. A cycle is one
 * from its Remark to the next, or to a full GC, which makes its result worthless.
 *
 * @param ended cycles that came to an end in the window
 * @param withoutMixed of these, how many no mixed GC followed: HotSpot takes no old region then,
 *     because those that hold garbage enough (15 % of the region or more) hold less than
 *     G1HeapWastePercent (5 %) of the heap together (g1CollectionSetChooser.cpp): what fills the
 *     old generation lives, or marking begins too late (InitiatingHeapOccupancyPercent)
 * @param overtaken of these, how many a full GC ended
 */
record MarkingCycles(int ended, int withoutMixed, int overtaken) {

  private static final String G1 = "G1";
  private static final String LOG = "gc-log";

  private static final Set<PauseKind> STEPS =
      EnumSet.of(PauseKind.REMARK, PauseKind.MIXED, PauseKind.FULL);

  /**
   * A recording without the event that names G1's kinds takes a mixed collection for a young one.
   */
  private static boolean showsMixed(Timeline timeline) {
    return timeline.inputs().stream().anyMatch(input -> input.format().equals(LOG))
        || !timeline.pauses().ofType(type -> type.kind() == PauseKind.MIXED).isEmpty();
  }

  static MarkingCycles of(Timeline timeline, Window window) {
    Pauses pauses =
        timeline.jvm().collector().filter(G1::equals).isPresent() && showsMixed(timeline)
            ? timeline.pauses(window).ofType(type -> STEPS.contains(type.kind()))
            : Pauses.none();
    int ended = 0;
    int withoutMixed = 0;
    int overtaken = 0;
    boolean marked = false;
    boolean mixed = false;
    for (int i = 0; i < pauses.size(); i++) {
      PauseKind kind = pauses.kind(i);
      if (kind == PauseKind.MIXED) {
        mixed = true;
        continue;
      }
      boolean full = kind == PauseKind.FULL;
      if (marked) {
        ended++;
        overtaken += full ? 1 : 0;
        withoutMixed += !full && !mixed ? 1 : 0;
      }
      marked = !full;
      mixed = false;
    }
    return new MarkingCycles(ended, withoutMixed, overtaken);
  }

  /** A line where most cycles freed nothing or not enough; empty otherwise. */
  Optional<String> fruitless() {
    if (withoutMixed + overtaken < Policy.FEWEST_QUEUED
        || withoutMixed + overtaken <= Policy.MAJORITY * ended) {
      return Optional.empty();
    }
    return Optional.of(
        ("of %s marking cycles of G1, %s led to no mixed GC (old regions held less"
                + " than G1HeapWastePercent of the heap in garbage) and %s were overtaken by a"
                + " full GC")
            .formatted(
                Numbers.count(ended), Numbers.count(withoutMixed), Numbers.count(overtaken)));
  }
}
