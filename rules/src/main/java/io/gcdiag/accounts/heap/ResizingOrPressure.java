package io.gcdiag.accounts.heap;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.pauses.GcPause;
import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.pauses.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.heap.HeapHeadroom;
import io.gcdiag.measures.heap.HeapRoom;
import io.gcdiag.measures.stops.PauseTotals;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import java.util.Optional;

/**
 * Whether the growth of the heap can be separated from its shortage. A heap that was short of
 * memory, grew, and stopped the application mostly while it did so, or stayed short below its
 * maximum size, shows both at once: with its largest size from the start it would neither have
 * grown nor been as short.
 */
public final class ResizingOrPressure {

  private ResizingOrPressure() {}

  /** The experiment that separates the two; empty if they can be separated without. */
  public static Optional<String> experiment(Case incident, Pauses resizes) {
    Timeline timeline = incident.timeline();
    Optional<Bytes> initial = timeline.jvm().initialHeap();
    Optional<Bytes> max = timeline.jvm().maxHeap();
    boolean mayGrow =
        initial.isPresent() && max.isPresent() && initial.get().compareTo(max.get()) < 0;
    boolean keepsGrowing = incident.heap().headroom().isGrowing();
    if (!mayGrow || keepsGrowing || resizes.isEmpty()) {
      return Optional.empty();
    }
    Optional<GcPause> before = lastBefore(timeline, resizes.get(0));
    GcPause last = resizes.get(resizes.size() - 1);
    boolean together =
        before.filter(pause -> isShort(timeline, pause) && grew(pause, last)).isPresent()
            && (shareUpTo(incident, last) >= Policy.MAJORITY || staysShort(incident, max.get()));
    return together
        ? Optional.of(
            "run again with -Xms at the value of -Xmx ("
                + max.get()
                + ") and nothing else changed: if the lost time goes it was the resizing, if it stays the"
                + " heap is too small")
        : Optional.empty();
  }

  private static Optional<GcPause> lastBefore(Timeline timeline, GcPause resize) {
    Pauses all = timeline.pauses();
    long start = Nanos.since1970(resize.start());
    int last = -1;
    for (int i = 0; i < all.size() && all.startNanos(i) < start; i++) {
      last = all.tellsHeap(i) && all.kind(i) != PauseKind.REMARK ? i : last;
    }
    return last < 0 ? Optional.empty() : Optional.of(all.get(last));
  }

  private static boolean isShort(Timeline timeline, GcPause pause) {
    return HeapHeadroom.free(pause.heap().orElseThrow())
        < HeapRoom.Wanted.of(timeline.jvm()).ratio().value();
  }

  private static boolean grew(GcPause before, GcPause last) {
    return last.heap()
            .orElseThrow()
            .committedAfter()
            .compareTo(before.heap().orElseThrow().committedAfter())
        > 0;
  }

  /** Whether what it grew to is still too little, and less than it may have. */
  private static boolean staysShort(Incident incident, Bytes max) {
    Timeline timeline = incident.timeline();
    Pauses measured = timeline.pauses(incident.window()).tellingHeap();
    GcPause last = measured.get(measured.size() - 1);
    return isShort(timeline, last)
        && last.heap().orElseThrow().committedAfter().value()
            < HeapHeadroom.AT_CEILING * max.value();
  }

  private static double shareUpTo(Incident incident, GcPause last) {
    Window window = incident.window();
    Pauses upTo = incident.timeline().pauses(new Window(window.from(), last.start().plusNanos(1)));
    double all = Durations.seconds(PauseTotals.of(incident.timeline(), window).sum());
    return all <= 0 ? 0 : Durations.seconds(PauseTotals.of(upTo, 1).sum()) / all;
  }
}
