package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.GcSample.ConcurrentCycle;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.TimeOrder;
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
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Heap after GC over one window, as far as it shows the live set.
 *
 * @param basis how well garbage had been cleared before
 * @param points by time
 * @param seen those of the points that were not set to the last full GC's result, because their
 *     growth since then may be garbage
 */
public record LiveSet(Basis basis, List<Point> points, List<Point> seen) {

  /** The kind of collection after which the points were read, the best that the window has. */
  public enum Basis {
    /** Full GCs: almost only live objects are left. */
    FULL("full GCs"),
    /**
     * The smallest heap after GC between the end of one concurrent marking and the end of the next.
     * G1 leaves garbage that is not worth clearing; with ZGC and Shenandoah, objects that died or
     * were allocated during the cycle are included.
     */
    MARKED("concurrent cycles"),
    /** The smallest heap after GC in each slice of time; may include old garbage. */
    YOUNG("time slices (lowest heap after GC)");

    private final String words;

    Basis(String words) {
      this.words = words;
    }

    /** For people; follows a number. */
    public String words() {
      return words;
    }
  }

  /**
   * The heap in use at an instant.
   *
   * @param bytes in use
   * @param source where this was read
   */
  record Point(Instant at, double bytes, Source source) {
    double secondsSince(Instant start) {
      return Duration.between(start, at).toNanos() / 1e9;
    }
  }

  /**
   * This many points are also enough if each is above the one before: by chance, four points are in
   * that order once in 24 times.
   */
  static final int FEWEST_RISING = 4;

  /**
   * G1 leaves garbage if clearing it would free too little: up to 5 % of the heap
   * (G1HeapWastePercent), and in regions with at least 85 % live (G1MixedGCLiveThresholdPercent,
   * g1_globals.hpp). This share of the maximum size may be old garbage, however often it was
   * marked.
   */
  static final double NEVER_CLEARED = 0.2;

  /** By the best basis for which the window has enough points; empty if there is none. */
  static Optional<LiveSet> in(Timeline timeline, Window window) {
    return in(timeline, window, HeapLeft.in(timeline, window));
  }

  /** The same from heap sizes after GC. */
  static Optional<LiveSet> in(Timeline timeline, Window window, HeapLeft found) {
    Pauses moving = found.moving();
    List<Point> full = found.full();
    if (full.size() >= Policy.RECURRING) {
      return Optional.of(of(Basis.FULL, full));
    }
    List<Point> fromBelow = fromBelow(moving, full);
    if (fromBelow.size() >= Policy.RECURRING
        && covers(fromBelow, window)
        && !roseAtFirst(found, window)) {
      return Optional.of(of(Basis.FULL, fromBelow));
    }
    List<Point> marked = found.marked();
    if (marked.size() >= Policy.FEWEST_COUNTED || isInRisingOrder(marked)) {
      return Optional.of(clipped(Basis.MARKED, marked, full, uncleared(timeline, moving)));
    }
    List<Point> young = HeapLeft.lowest(moving, window);
    return young.size() < Policy.FEWEST_COUNTED
        ? Optional.empty()
        : Optional.of(clipped(Basis.YOUNG, young, full, uncleared(timeline, moving)));
  }

  private static LiveSet of(Basis basis, List<Point> points) {
    return new LiveSet(basis, points, points);
  }

  /**
   * The heap after full GCs, and the smallest heap before them if that is smaller: the live set was
   * no larger then, so it has grown by at least the difference.
   */
  private static List<Point> fromBelow(Pauses moving, List<Point> full) {
    if (full.isEmpty()) {
      return full;
    }
    Optional<Point> before =
        HeapLeft.least(moving, new Window(moving.start(0), full.get(0).at()))
            .filter(point -> point.bytes() < full.get(0).bytes());
    return Stream.concat(before.stream(), full.stream()).toList();
  }

  /**
   * Whether heap use rose in the first half, and no substantial part of the rise came in the
   * second. What a service loads at its start is no leak.
   */
  private static boolean roseAtFirst(HeapLeft found, Window window) {
    List<Point> points = lowestInSlices(found, window);
    double first = points.get(0).bytes();
    double last = points.get(points.size() - 1).bytes();
    Instant middle = window.from().plus(window.length().dividedBy(2));
    int later = TimeOrder.firstAfter(points, Point::at, middle);
    double atMiddle = points.get(Math.max(0, later - 1)).bytes();
    return last - atMiddle < Policy.SUBSTANTIAL * (last - first);
  }

  private static boolean covers(List<Point> points, Window window) {
    double seconds = points.get(points.size() - 1).secondsSince(points.get(0).at());
    return seconds >= Policy.MAJORITY * window.seconds();
  }

  private static boolean isInRisingOrder(List<Point> points) {
    for (int i = 1; i < points.size(); i++) {
      if (points.get(i).bytes() <= points.get(i - 1).bytes()) {
        return false;
      }
    }
    return points.size() >= FEWEST_RISING;
  }

  /**
   * The smallest heap after GC in each slice of a window, limited by the result of a later full GC.
   */
  static List<Point> lowestInSlices(Timeline timeline, Window window) {
    return lowestInSlices(HeapLeft.in(timeline, window), window);
  }

  private static List<Point> lowestInSlices(HeapLeft found, Window window) {
    return clipped(Basis.YOUNG, HeapLeft.lowest(found.moving(), window), found.full(), 0).points();
  }

  /** Upper bound of old garbage, in bytes, from the largest known heap size. */
  private static double uncleared(Timeline timeline, Pauses moving) {
    long committed = 0;
    for (int i = 0; i < moving.size(); i++) {
      committed = Math.max(committed, moving.committedAfter(i));
    }
    return NEVER_CLEARED * timeline.jvm().maxHeap().map(Bytes::value).orElse(committed);
  }

  /**
   * Heap after the full GCs of the window; after concurrent cycles if there are no full GCs and
   * enough cycles; otherwise nothing.
   */
  static List<Point> cleared(HeapLeft found) {
    List<Point> full = found.full();
    if (!full.isEmpty()) {
      return full;
    }
    List<Point> marked = found.marked();
    return marked.size() >= Policy.RECURRING ? marked : List.of();
  }

  /**
   * Limits each point by the result of the next full GC, because what that one cleared had been
   * garbage. After the last full GC nothing shows what became garbage since, so a point whose
   * growth may be garbage is set to the last full GC's result.
   */
  private static LiveSet clipped(
      Basis basis, List<Point> points, List<Point> full, double uncleared) {
    if (full.isEmpty()) {
      return of(basis, points);
    }
    Point last = full.get(full.size() - 1);
    Predicate<Point> doubtful =
        point -> !point.at().isBefore(last.at()) && point.bytes() <= last.bytes() + uncleared;
    double[] leastFrom = new double[full.size() + 1];
    leastFrom[full.size()] = Double.MAX_VALUE;
    for (int i = full.size() - 1; i >= 0; i--) {
      leastFrom[i] = Math.min(full.get(i).bytes(), leastFrom[i + 1]);
    }
    List<Point> clipped = new ArrayList<>();
    List<Point> seen = new ArrayList<>();
    for (Point point : points) {
      double later = leastFrom[TimeOrder.firstAfter(full, Point::at, point.at())];
      double least = Math.min(point.bytes(), doubtful.test(point) ? last.bytes() : later);
      Point most = new Point(point.at(), least, point.source());
      clipped.add(most);
      if (!doubtful.test(point)) {
        seen.add(most);
      }
    }
    return new LiveSet(basis, clipped, seen);
  }

  /**
   * Heap sizes after the collections of a window, computed once, because several bases are tried
   * and a log may have a million pauses.
   *
   * @param moving pauses with heap sizes
   * @param full heap after full GCs
   * @param marked heap after concurrent cycles; not computed if there are enough full GCs
   */
  record HeapLeft(Pauses moving, List<Point> full, List<Point> marked) {

    /**
     * Slices for the lowest heap use: enough for a slope, each long enough for a few collections.
     */
    private static final int SLICES = 16;

    static HeapLeft in(Timeline timeline, Window window) {
      Pauses moving = timeline.pauses(window).tellingHeap();
      List<Point> full =
          moving.ofType(type -> type.kind() == PauseKind.FULL).stream()
              .map(HeapLeft::point)
              .toList();
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
}
