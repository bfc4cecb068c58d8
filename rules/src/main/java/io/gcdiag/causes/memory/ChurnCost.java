package io.gcdiag.causes.memory;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.measures.jvm.HeapHeadroom;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.units.Durations;
import java.util.Optional;

/** What allocation alone adds to the stopped time. */
final class ChurnCost {

  /**
   * From one collection per second on, most requests in progress are hit by a collection, which
   * copies the objects they hold. This is the cost of fast allocation.
   */
  private static final double FREQUENT_PER_MINUTE = 60;

  /** A rate that is not known is taken as unchanged. */
  private static final double UNKNOWN = 1;

  private ChurnCost() {}

  /**
   * In seconds over the incident window; asked only if the heap's room is known, because without it
   * more collections may as well come from less room.
   *
   * <p>A heap short of memory is collected more often at any rate of allocation, so only the growth
   * of that rate counts, at the baseline's cost; not that of full GCs, which come for lack of room,
   * and no more than the others take now. A heap with room is collected as often as allocation
   * fills it: every collection counts, at the baseline's mean pause, and so does what pauses took
   * longer because more was in progress, which grows with the rate of allocation as well; but no
   * more than fewer collections would save at the baseline's rate, where both rates are known.
   */
  static double seconds(Case incident, HeapHeadroom room, PauseTotals during) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<Window> baseline = incident.baseline();
    if (!room.isKnown()) {
      return 0;
    }
    if (baseline.isEmpty()) {
      return room.isShort() || during.countPerMinute() < FREQUENT_PER_MINUTE
          ? 0
          : Durations.seconds(during.sum());
    }
    PauseTotals before = PauseTotals.of(timeline, baseline.get());
    double factor = allocationGrowth(incident, baseline.get(), window);
    if (room.isShort()) {
      double atItsRate =
          secondsInOthersThanFull(timeline, baseline.get())
              / baseline.get().seconds()
              * window.seconds();
      return Math.min(
          Math.max(0, atItsRate * (factor - 1)), secondsInOthersThanFull(timeline, window));
    }
    double usual = before.shareStopped() * window.seconds();
    double pause =
        before.count() == 0
            ? during.meanSeconds()
            : Math.min(before.meanSeconds() * Math.max(1, factor), during.meanSeconds());
    double more = Math.max(0, during.count() * pause - usual);
    return factor == UNKNOWN ? more : Math.min(more, avoidable(during, factor));
  }

  /**
   * What the baseline's rate of allocation would save at most: it needs fewer collections by that
   * factor, and each meets less in progress by that factor.
   */
  private static double avoidable(PauseTotals during, double factor) {
    return Durations.seconds(during.sum()) * Math.max(0, 1 - 1 / (factor * factor));
  }

  private static double secondsInOthersThanFull(Timeline timeline, Window window) {
    return Durations.seconds(
        timeline.pauses(window).ofType(type -> type.kind() != PauseKind.FULL).sum());
  }

  /**
   * By what factor more is allocated than in the baseline; {@link #UNKNOWN} if that is not known.
   */
  private static double allocationGrowth(Case incident, Window baseline, Window window) {
    Optional<AllocationRate> before = incident.allocation(baseline);
    Optional<AllocationRate> during = incident.allocation(window);
    return before.isEmpty() || during.isEmpty() || before.get().bytesPerSecond() <= 0
        ? UNKNOWN
        : during.get().bytesPerSecond() / before.get().bytesPerSecond();
  }
}
