package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.LiveSet.Point;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.TrendLine;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Whether the live set grew until the heap was full. After that it cannot grow, so its slope no
 * longer shows the leak.
 */
public final class FullHeap {

  /**
   * A full GC that frees less than this share of the heap frees nothing: HotSpot's own limit for
   * giving up (GCHeapFreeLimit, 2 %, gc_globals.hpp).
   */
  private static final double NOTHING_FREED = 0.02;

  /**
   * With this share of the maximum size in use after GC, neither a leak can grow nor a service
   * work: G1 keeps a tenth in reserve (G1ReservePercent), and its young generation has at least a
   * twentieth (G1NewSizePercent).
   */
  public static final double AT_CEILING = 0.85;

  /** Slopes within this factor count as one steady growth. */
  private static final double ABOUT_THE_SAME = 3;

  private FullHeap() {}

  /** Whether the heap is full at the window's end because of steady growth. */
  static boolean bySteadyGrowth(Incident incident, Optional<LiveSet> live) {
    return (freesNothing(incident) || isAtCeiling(incident, live))
        && (grewThroughTheBaseline(incident) || grewUntilNothingWasFreed(incident));
  }

  /**
   * Full GCs after which the heap was still full: the second in a row that left too little free
   * memory, the third in a row that freed nothing, or one that freed nothing directly after
   * another. HotSpot collects twice in one operation only if the first left too little memory and
   * the heap cannot grow, and throws an OutOfMemoryError if the second does not help either. No
   * event records that error, and the thread that it ends may release what filled the heap. Full
   * GCs for a humongous object are left out: they look for contiguous free regions, and may leave a
   * heap with free memory.
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
      inVain = freedNothing(full, i, limit) ? inVain + 1 : 0;
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
    Optional<Bytes> limit = incident.timeline().jvm().maxHeap();
    int first = full.size() - Policy.RECURRING;
    return first >= 0
        && IntStream.range(first, full.size()).allMatch(i -> freedNothing(full, i, limit));
  }

  /** Less than half of the maximum size is no full heap: the committed part of it grows. */
  private static boolean freedNothing(Pauses full, int index, Optional<Bytes> limit) {
    double committed = full.committedAfter(index);
    return Math.max(0, full.usedBefore(index) - full.usedAfter(index)) < NOTHING_FREED * committed
        && full.usedAfter(index)
            >= Policy.MAJORITY * limit.map(most -> (double) most.value()).orElse(committed);
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

  /**
   * The slope is the same in both halves of the baseline: it is not start-up loading but constant
   * growth.
   */
  private static boolean grewThroughTheBaseline(Incident incident) {
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
    return rise.last.value() - rise.first.value() > Policy.NEGLIGIBLE * rise.last().value()
        && first.get().slopeLow() > 0
        && second.get().slopeLow() > 0
        && late < ABOUT_THE_SAME * early
        && early < ABOUT_THE_SAME * late;
  }

  private static Optional<TrendLine> trend(Incident incident, Window window) {
    return LiveSetTrend.fit(points(incident, window), window.from());
  }

  /**
   * Whether the heap after GC rose for longer than loading data takes, until full GCs freed
   * nothing. The middle of the rise is examined: its beginning may be the service's start, and near
   * its end growth slows down because the heap is full.
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
   * How the heap filled up, over the whole time seen, because it may have been full throughout the
   * incident.
   *
   * @param first smallest heap after GC
   * @param last heap after the last GC
   * @param length time between the two
   */
  public record Rise(Bytes first, Bytes last, Duration length) {

    /** Whether what the service needs is a small part of what was left at the end. */
    public boolean isSeveralfold() {
      return first.value() < Policy.SUBSTANTIAL * last.value();
    }
  }

  /**
   * The rise up to the incident's end; there must be a collection. For collectors whose pauses have
   * no heap sizes, such as Shenandoah, it is taken from concurrent cycles.
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

  /** Baseline (if it precedes the incident) and incident as one window. */
  static Window seen(Incident incident) {
    Window window = incident.window();
    return incident
        .baseline()
        .filter(baseline -> baseline.from().isBefore(window.from()))
        .map(baseline -> new Window(baseline.from(), window.to()))
        .orElse(window);
  }

  /**
   * Full GCs caused by humongous allocations. There are two kinds:
   *
   * <ul>
   *   <li>G1 first tries a young collection with the cause "G1 Humongous Allocation". If there are
   *       still not enough contiguous free regions, it collects the whole heap at the same
   *       safepoint, and prints that with an unspecific cause (VM_G1CollectForAllocation,
   *       g1VMOperations.cpp; satisfy_failed_allocation, g1CollectedHeap.cpp).
   *   <li>Humongous objects fill the heap until an ordinary allocation finds no region. The full GC
   *       then clears what no collection since the last full GC could: garbage outside the young
   *       generation. A humongous allocation had triggered one of these collections.
   * </ul>
   */
  static final class HumongousFulls {

    /**
     * Both collections are one operation at one safepoint, with nothing in between. Logs round to
     * milliseconds.
     */
    private static final Duration SAME_OPERATION = Duration.ofMillis(5);

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
}
