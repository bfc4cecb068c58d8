package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.GcSample.ConcurrentCycle;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.LiveSet.Point;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Heap sizes after the collections of a window, computed once, because several bases are tried and
 * a log may have a million pauses.
 *
 * @param moving pauses with heap sizes
 * @param full heap after full GCs
 * @param marked heap after concurrent cycles; not computed if there are enough full GCs
 */
record HeapLeft(Pauses moving, List<Point> full, List<Point> marked) {

  /** Slices for the lowest heap use: enough for a slope, each long enough for a few collections. */
  private static final int SLICES = 16;

  static HeapLeft in(Timeline timeline, Window window) {
    Pauses moving = timeline.pauses(window).tellingHeap();
    List<Point> full =
        moving.ofType(type -> type.kind() == PauseKind.FULL).stream().map(HeapLeft::point).toList();
    return new HeapLeft(
        moving,
        full,
        full.size() >= Policy.RECURRING ? List.of() : marked(timeline, window, moving));
  }

  private static Point point(GcPause pause) {
    double used = pause.heap().map(HeapChange::usedAfter).map(Bytes::value).orElse(0L);
    return new Point(pause.end(), used, pause.source());
  }

  private static List<Point> marked(Timeline timeline, Window window, Pauses moving) {
    List<Point> points =
        new ArrayList<>(
            timeline.samples(ConcurrentCycle.class, window).stream()
                .filter(ConcurrentCycle::whole)
                .map(cycle -> new Point(cycle.at(), cycle.usedAfter().value(), cycle.source()))
                .toList());
    Pauses ends = timeline.pauses(window).ofType(type -> type.kind() == PauseKind.REMARK);
    for (int i = 0; i < ends.size(); i++) {
      Instant from = ends.start(i);
      Instant to = i + 1 < ends.size() ? ends.start(i + 1) : window.to();
      if (from.isBefore(to)) {
        least(moving, new Window(from, to)).ifPresent(points::add);
      }
    }
    points.sort(Comparator.comparing(Point::at));
    return points;
  }

  /** The smallest heap after GC in that part. */
  static Optional<Point> least(Pauses pauses, Window part) {
    Pauses inside = pauses.within(part);
    int least = 0;
    for (int i = 1; i < inside.size(); i++) {
      least = inside.usedAfter(i) < inside.usedAfter(least) ? i : least;
    }
    return inside.isEmpty() ? Optional.empty() : Optional.of(point(inside.get(least)));
  }

  /** The smallest heap after GC in each slice of the window. */
  static List<Point> lowest(Pauses pauses, Window window) {
    Duration slice = window.length().dividedBy(SLICES);
    List<Point> lowest = new ArrayList<>();
    for (int i = 0; i < SLICES && !slice.isZero(); i++) {
      least(pauses, window.part(slice, i)).ifPresent(lowest::add);
    }
    return lowest;
  }
}
