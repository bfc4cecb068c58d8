package io.gcdiag.causes.memory;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.units.Durations;
import java.util.Set;

/**
 * Collections in one window: those that stop the application to free memory. The start and end of a
 * concurrent marking belong to one and are not counted, except where a collector does nothing else
 * in a pause (ZGC, Shenandoah): there each marking is a collection.
 *
 * @param stoppedShare share of the time in which the application was stopped, 0 to 1
 * @param seconds the window's length
 */
public record CollectionCount(int count, double stoppedShare, double seconds) {

  private static final Set<PauseKind> FREEING =
      Set.of(PauseKind.YOUNG, PauseKind.MIXED, PauseKind.FULL);

  public static CollectionCount of(Timeline timeline, Window window) {
    boolean concurrent = !timeline.pauses().anyOfType(type -> FREEING.contains(type.kind()));
    Pauses counted =
        timeline
            .pauses(window)
            .ofType(
                type ->
                    concurrent
                        ? type.kind() == PauseKind.MARK_START
                        : FREEING.contains(type.kind()));
    return new CollectionCount(
        counted.size(), PauseTotals.of(timeline, window).shareStopped(), window.seconds());
  }

  public double perMinute() {
    return count / seconds * Durations.SECONDS_PER_MINUTE;
  }
}
