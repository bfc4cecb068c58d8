package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.LiveSet.Point;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.TrendLine;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Whether the live set grew until the heap was full. From then on it is flat, for lack of room, and
 * its slope shows no leak any more.
 */
public final class FullHeap {

  /**
   * A full GC that frees less than this share of the heap frees nothing: HotSpot's own limit for
   * giving up (GCHeapFreeLimit, 2 %, gc_globals.hpp).
   */
  private static final double NOTHING_FREED = 0.02;

  /**
   * So much of the maximum size in use after collections leaves a leak no room to grow, and a
   * service none to work: G1 keeps a tenth in reserve (G1ReservePercent), and its young generation
   * has a twentieth at least (G1NewSizePercent).
   */
  public static final double AT_CEILING = 0.85;

  /** Slopes within this factor are one steady growth. */
  private static final double ABOUT_THE_SAME = 3;

  private FullHeap() {}

  /** Whether the heap is full at the window's end, and growth at one pace has filled it. */
  static boolean bySteadyGrowth(Incident incident, Optional<LiveSet> live) {
    return isFull(incident, live)
        && (grewThroughTheCalm(incident) || grewUntilNothingWasFreed(incident));
  }

  private static boolean isFull(Incident incident, Optional<LiveSet> live) {
    return freesNothing(incident) || isAtCeiling(incident, live);
  }

  /**
   * Full GCs after which the heap was full for all that. Two in a row left no room, or freed
   * nothing at all: the third in a row, or one directly after another one, as HotSpot collects
   * twice in one operation only where the first left no room and the heap cannot grow, and throws
   * an OutOfMemoryError if the second does not either. No event records that error, and the thread
   * that it ends may take what filled the heap with it. Those that a humongous object forces look
   * for a stretch of free regions, and leave a heap in which there is room.
   */
  public static Pauses leftFull(Timeline timeline) {
    Optional<Bytes> limit = timeline.jvm().maxHeap();
    Set<GcPause> humongous = HumongousFulls.among(timeline.pauses());
    Pauses ordinary = timeline.pauses().ofType(CollectionTrigger::isOrdinaryFull).tellingHeap();
    Pauses full = ordinary.where(i -> !humongous.contains(ordinary.get(i)));
    BitSet found = new BitSet();
    int inVain = 0;
    boolean before = false;
    for (int i = 0; i < full.size(); i++) {
      long most = limit.map(Bytes::value).orElse(full.committedAfter(i));
      boolean noRoom = full.usedAfter(i) >= AT_CEILING * most;
      inVain = freedNothing(full, i) ? inVain + 1 : 0;
      boolean twice = inVain > 0 && HumongousFulls.follows(full, i);
      found.set(i, noRoom && before || inVain >= Policy.RECURRING || twice);
      before = noRoom;
    }
    return full.where(found::get);
  }

  /** Whether the last full GCs of the window hardly freed anything. */
  private static boolean freesNothing(Incident incident) {
    Pauses pauses = incident.timeline().pauses(incident.window());
    Pauses full = pauses.ofType(type -> type.kind() == PauseKind.FULL).tellingHeap();
    int first = full.size() - Policy.RECURRING;
    return first >= 0 && IntStream.range(first, full.size()).allMatch(i -> freedNothing(full, i));
  }

  private static boolean freedNothing(Pauses full, int index) {
    double committed = full.committedAfter(index);
    return Math.max(0, full.usedBefore(index) - full.usedAfter(index)) < NOTHING_FREED * committed
        && full.usedAfter(index) >= Policy.MAJORITY * committed;
  }

  private static boolean isAtCeiling(Incident incident, Optional<LiveSet> live) {
    Optional<Bytes> limit = incident.timeline().jvm().maxHeap();
    List<Point> points = live.map(LiveSet::points).orElse(List.of());
    return limit.isPresent()
        && !points.isEmpty()
        && points.stream()
            .skip(points.size() / 2)
            .allMatch(point -> point.bytes() >= AT_CEILING * limit.get().value());
  }

  private static List<Point> points(Incident incident, Window window) {
    return LiveSet.in(incident.timeline(), window).map(LiveSet::points).orElse(List.of());
  }

  /** The same slope in both halves of the baseline: nothing was loaded, it always grows. */
  private static boolean grewThroughTheCalm(Incident incident) {
    Optional<Window> baseline = incident.baseline();
    if (baseline.isEmpty() || baseline.get().length().compareTo(Policy.SUSTAINED) < 0) {
      return false;
    }
    Instant middle = baseline.get().from().plus(baseline.get().length().dividedBy(2));
    Optional<TrendLine> first = trend(incident, new Window(baseline.get().from(), middle));
    Optional<TrendLine> second = trend(incident, new Window(middle, baseline.get().to()));
    if (first.isEmpty() || second.isEmpty()) {
      return false;
    }
    double early = first.get().slope();
    double late = second.get().slope();
    Rise rise = rise(incident);
    return rise.bytes() > Policy.NEGLIGIBLE * rise.last().value()
        && first.get().slopeLow() > 0
        && second.get().slopeLow() > 0
        && late < ABOUT_THE_SAME * early
        && early < ABOUT_THE_SAME * late;
  }

  private static Optional<TrendLine> trend(Incident incident, Window window) {
    return LiveSetTrend.fit(points(incident, window), window.from());
  }

  /**
   * What collections left rose for longer than it takes to load something, until full ones freed
   * nothing. Looked at is the middle of the rise: its foot may be a start, and near its end growth
   * slows down for lack of room.
   */
  private static boolean grewUntilNothingWasFreed(Incident incident) {
    if (!freesNothing(incident)) {
      return false;
    }
    Window seen = seen(incident);
    List<Point> points = LiveSet.lowestInSlices(incident.timeline(), seen);
    double least = points.stream().mapToDouble(Point::bytes).min().orElse(0);
    double most = points.stream().mapToDouble(Point::bytes).max().orElse(0);
    double foot = least + Policy.NOTABLE * (most - least);
    double top = least + (1 - Policy.NOTABLE) * (most - least);
    List<Point> middle =
        points.stream().filter(point -> point.bytes() >= foot && point.bytes() <= top).toList();
    if (middle.size() < Policy.RECURRING) {
      return false;
    }
    Point first = middle.get(0);
    Duration rise = Duration.between(first.at(), middle.get(middle.size() - 1).at());
    return most - least >= Policy.SUBSTANTIAL * most
        && rise.compareTo(Policy.SUSTAINED) >= 0
        && LiveSetTrend.fit(middle, first.at()).filter(line -> line.slopeLow() > 0).isPresent();
  }

  /**
   * How the heap filled, over all that is seen: in the incident itself it may have been full
   * throughout.
   *
   * @param first the least that was in use after collections
   * @param last what is in use after the last of them
   * @param length from the one to the other
   */
  public record Rise(Bytes first, Bytes last, Duration length) {
    long bytes() {
      return last.value() - first.value();
    }
  }

  /**
   * The rise up to the incident's end; there must be a collection. One whose pauses tell nothing of
   * the heap, as Shenandoah's, is known by its cycles.
   */
  public static Rise rise(Incident incident) {
    List<Point> lowest = LiveSet.lowestInSlices(incident.timeline(), seen(incident));
    List<Point> points = lowest.isEmpty() ? points(incident, seen(incident)) : lowest;
    Point last = points.get(points.size() - 1);
    Point least = points.stream().min(Comparator.comparingDouble(Point::bytes)).orElse(last);
    return new Rise(
        Bytes.of(Math.round(least.bytes())),
        Bytes.of(Math.round(last.bytes())),
        Duration.between(least.at(), last.at()));
  }

  /** The baseline, if it was before, and the incident. */
  static Window seen(Incident incident) {
    Window window = incident.window();
    return incident
        .baseline()
        .filter(baseline -> baseline.from().isBefore(window.from()))
        .map(baseline -> new Window(baseline.from(), window.to()))
        .orElse(window);
  }
}
