package io.gcdiag.causes.memory;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.units.Estimate;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Figures of the heap in the incident that determine what collections cost at other sizes.
 *
 * @param collector which sizes its young generation how
 * @param allocatedPerSecond bytes allocated per second
 * @param liveBytes what is left after the collections that leave least and most of what counts
 * @param heapBytes committed size
 * @param roomBytes bytes allocated between two young collections, the median; 0 if not known
 * @param youngSeconds mean young pause, in the baseline and in the incident; of a concurrent
 *     collector all pauses of one collection
 * @param fullSeconds mean full GC; absent without one
 * @param keptPerSecond bytes per second that young collections add to what stays, in the baseline
 *     and in the incident
 * @param movedPerSecond bytes of live objects that a collection moves in a second of its pause: a
 *     full GC, which has them side by side, most, a young one with all else that it does in its
 *     pause, least; 0 if nothing was moved
 * @param fixedYoung size of the young generation in bytes if the operator set it
 * @param newRatio old generation over young, for collectors that divide the heap so
 * @param markingFrom share of the heap in use from which G1 keeps marking
 */
public record HeapUse(
    Collector collector,
    double allocatedPerSecond,
    Estimate liveBytes,
    double heapBytes,
    double roomBytes,
    Estimate youngSeconds,
    OptionalDouble fullSeconds,
    Estimate keptPerSecond,
    Estimate movedPerSecond,
    OptionalDouble fixedYoung,
    double newRatio,
    double markingFrom) {

  /** Collectors by how they size their young generation. */
  enum Collector {
    /** A fixed part of the heap: Serial, Parallel, ParNew. */
    DIVIDED,
    /** From 5 to 60 % of the heap, to meet a pause target: G1. */
    G1,
    /** None, or one whose size does not show in the pauses: ZGC, Shenandoah. */
    CONCURRENT
  }

  /** Fewer collections give no reliable mean. */
  private static final int FEWEST = 3;

  /** NewRatio of a JVM that does not state it (HotSpot's gc_globals.hpp). */
  private static final double DEFAULT_NEW_RATIO = 2;

  /** InitiatingHeapOccupancyPercent of a JVM that does not state it (HotSpot's g1_globals.hpp). */
  private static final double DEFAULT_MARKING_FROM = 45;

  private static final double WHOLE = 100;

  /** Empty if the inputs have too few collections or do not state the heap. */
  public static Optional<HeapUse> of(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Pauses pauses = known(timeline, window);
    Optional<AllocationRate> rate = incident.allocation(window);
    if (pauses.size() < FEWEST || rate.isEmpty() || rate.get().bytesPerSecond() <= 0) {
      return Optional.empty();
    }
    Pauses young = pauses.ofType(HeapUse::isYoung);
    Pauses full = pauses.ofType(type -> type.kind() == PauseKind.FULL);
    double youngNow = mean(young).orElse(0);
    double keptNow = kept(pauses, window);
    Optional<Window> baseline = incident.baseline();
    Pauses before = baseline.map(c -> known(timeline, c)).orElse(Pauses.none());
    double youngBaseline = mean(before.ofType(HeapUse::isYoung)).orElse(youngNow);
    double keptBaseline = baseline.isPresent() ? kept(before, baseline.get()) : keptNow;
    double heap = pauses.committedAfter(pauses.size() - 1);
    return Optional.of(
        new HeapUse(
            collector(timeline),
            rate.get().bytesPerSecond(),
            live(pauses, full),
            heap,
            room(pauses),
            collector(timeline) == Collector.CONCURRENT
                ? perCollection(timeline, window)
                : Estimate.of(youngBaseline, youngNow),
            mean(full),
            Estimate.of(keptBaseline, keptNow),
            moved(young, full, keptNow, window),
            fixedYoung(timeline),
            timeline.jvm().number("NewRatio").orElse(DEFAULT_NEW_RATIO),
            timeline.jvm().number("InitiatingHeapOccupancyPercent").orElse(DEFAULT_MARKING_FROM)
                / WHOLE));
  }

  /**
   * The heap, in bytes, that has this share free after a full GC. In a heap with generations it is
   * the share of the old generation, because a full GC leaves the live set there.
   */
  double heapWithFree(double share) {
    double least = liveBytes.high() / (1 - share);
    return collector == Collector.DIVIDED ? least + fixedYoung.orElse(least / newRatio) : least;
  }

  /** The pauses of a concurrent collection together. */
  private static Estimate perCollection(Timeline timeline, Window window) {
    CollectionCount count = CollectionCount.of(timeline, window);
    double each = count.count() == 0 ? 0 : count.stoppedShare() * count.seconds() / count.count();
    return new Estimate(each, each);
  }

  private static Pauses known(Timeline timeline, Window window) {
    return timeline.pauses(window).tellingHeap();
  }

  private static boolean isYoung(PauseType type) {
    return type.kind() == PauseKind.YOUNG || type.kind() == PauseKind.MIXED;
  }

  private static Collector collector(Timeline timeline) {
    String name = timeline.jvm().collector().orElse("").toLowerCase(Locale.ROOT);
    if (name.contains("g1")) {
      return Collector.G1;
    }
    boolean concurrent =
        name.contains("z ")
            || name.startsWith("z")
            || name.contains("shenandoah")
            || !timeline.pauses().anyOfType(HeapUse::isYoung);
    return concurrent ? Collector.CONCURRENT : Collector.DIVIDED;
  }

  /**
   * The live set: the heap after a full GC. Without a full GC, the smallest heap after a young GC
   * is the closest estimate and the largest one an upper bound.
   */
  private static Estimate live(Pauses pauses, Pauses full) {
    Pauses telling = full.isEmpty() ? pauses : full;
    long least = telling.usedAfter(0);
    long most = least;
    for (int i = 1; i < telling.size(); i++) {
      least = Math.min(least, telling.usedAfter(i));
      most = Math.max(most, telling.usedAfter(i));
    }
    return new Estimate(least, most);
  }

  private static double room(Pauses pauses) {
    double[] rooms = new double[Math.max(0, pauses.size() - 1)];
    for (int i = 1; i < pauses.size(); i++) {
      rooms[i - 1] = Math.max(0, pauses.usedBefore(i) - pauses.usedAfter(i - 1));
    }
    Arrays.sort(rooms);
    return rooms.length == 0 ? 0 : rooms[rooms.length / 2];
  }

  /** How much the heap after young collections grows, in bytes per second. */
  private static double kept(Pauses pauses, Window window) {
    double kept = 0;
    for (int i = 1; i < pauses.size(); i++) {
      if (pauses.kind(i) == PauseKind.YOUNG) {
        kept += Math.max(0, pauses.usedAfter(i) - pauses.usedAfter(i - 1));
      }
    }
    return kept / window.seconds();
  }

  /** Full GCs move what is alive; young collections move what they add. */
  private static Estimate moved(Pauses young, Pauses full, double keptPerSecond, Window window) {
    double left = 0;
    for (int i = 0; i < full.size(); i++) {
      left += full.usedAfter(i);
    }
    double byFull = full.isEmpty() || seconds(full) <= 0 ? 0 : left / seconds(full);
    double byYoung = seconds(young) > 0 ? keptPerSecond * window.seconds() / seconds(young) : 0;
    if (byFull == 0 || byYoung == 0) {
      return Estimate.of(Math.max(byFull, byYoung), Math.max(byFull, byYoung));
    }
    return Estimate.of(byFull, byYoung);
  }

  private static double seconds(Pauses pauses) {
    return IntStream.range(0, pauses.size()).mapToDouble(pauses::seconds).sum();
  }

  private static OptionalDouble mean(Pauses pauses) {
    return pauses.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(seconds(pauses) / pauses.size());
  }

  /** A young generation that does not grow with the heap. */
  private static OptionalDouble fixedYoung(Timeline timeline) {
    Predicate<Flag> set = flag -> flag.origin().toLowerCase(Locale.ROOT).contains("command");
    return timeline.jvm().flag("MaxNewSize").filter(set).isPresent()
        ? timeline.jvm().number("MaxNewSize")
        : OptionalDouble.empty();
  }
}
