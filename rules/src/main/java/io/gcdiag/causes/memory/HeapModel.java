package io.gcdiag.causes.memory;

import io.gcdiag.books.Prediction.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What collections would cost in a heap of another size.
 *
 * <p>A young collection comes when the room for new objects is used up: allocation rate over room.
 * It costs what it costs now, and for each byte that has come to stay since the last one the time
 * to move it. The room follows from the heap's size as the collector divides it. Full GCs come as
 * often as what young ones promote fills the rest.
 */
final class HeapModel {

  private static final double SECONDS_PER_MINUTE = 60;

  /** Allocation is known to about a tenth: sampled weights to 4 %, heap differences to 10 to 20. */
  private static final double ALLOCATION_ERROR = 0.1;

  /**
   * Of a young generation this part at least takes new objects; the rest is for survivors
   * (SurvivorRatio 8, and Parallel's adaptive sizes, HotSpot's psAdaptiveSizePolicy).
   */
  private static final double LEAST_EDEN = 0.5;

  /** G1MaxNewSizePercent and G1NewSizePercent (HotSpot's g1_globals.hpp). */
  private static final double G1_MOST_YOUNG = 0.6;

  private static final double G1_LEAST_YOUNG = 0.05;

  /** G1ReservePercent: kept free for objects to be moved into. */
  private static final double G1_RESERVE = 0.1;

  /** G1 approaches its largest young generation in steps, and learns meanwhile. */
  private static final double G1_LEARNING = 0.5;

  /** ZGC and Shenandoah start early enough to be done before the heap is full. */
  private static final double EARLIEST_START = 0.3;

  /** A pause has work that does not depend on what it moves. */
  private static final double LEAST_PAUSE = 0.25;

  private final HeapUse use;
  private final double heap;

  private HeapModel(HeapUse use, double heap) {
    this.use = use;
    this.heap = heap;
  }

  /**
   * What would be.
   *
   * @param collections per minute, full ones among them
   * @param stopped share of the time
   * @param likely pauses between those that take least and most of the time
   * @param bySize pauses with the least and with the most space for new objects
   */
  record Outcome(Range collections, Range stopped, Pauses likely, List<Between> bySize) {}

  /**
   * Pauses with one size of the space for new objects.
   *
   * @param cheap those that cost least
   * @param dear those that cost most
   */
  record Between(Pauses cheap, Pauses dear) {}

  /**
   * Pauses that repeat.
   *
   * @param perMinute young collections a minute
   * @param seconds each
   * @param fullPerMinute full GCs a minute
   * @param fullSeconds each
   */
  record Pauses(double perMinute, double seconds, double fullPerMinute, double fullSeconds) {
    double stopped() {
      return Math.min(1, (perMinute * seconds + fullPerMinute * fullSeconds) / SECONDS_PER_MINUTE);
    }

    double collections() {
      return perMinute + fullPerMinute;
    }

    /** Pauses between these and others, by factor as long as both are above 0. */
    Pauses between(Pauses others) {
      return new Pauses(
          middle(perMinute, others.perMinute),
          middle(seconds, others.seconds),
          middle(fullPerMinute, others.fullPerMinute),
          middle(fullSeconds, others.fullSeconds));
    }

    private static double middle(double one, double other) {
      return one > 0 && other > 0 ? Math.sqrt(one * other) : (one + other) / 2;
    }
  }

  /** Why a heap of so many bytes cannot be predicted; empty if it can. */
  static Optional<String> refusal(HeapUse use, double heap) {
    HeapModel model = new HeapModel(use, heap);
    if (use.youngSeconds().high() <= 0 && use.collector() != HeapUse.Collector.CONCURRENT) {
      return Optional.of("no young GC was recorded whose cost could be carried over");
    }
    if (model.room().low() <= 0) {
      return Optional.of("the live set would leave hardly any room for new objects");
    }
    if (use.collector() == HeapUse.Collector.DIVIDED
        && model.oldRoom(use.liveBytes().high()) <= 0) {
      return Optional.of("the live set would not fit into the old generation");
    }
    return Optional.empty();
  }

  /** Predicts a heap of so many bytes, for which there is no refusal. */
  static Outcome at(HeapUse use, double heap) {
    return new HeapModel(use, heap).outcome();
  }

  private Outcome outcome() {
    Range room = room();
    Pauses cheap = null;
    Pauses dear = null;
    List<Between> bySize = new ArrayList<>();
    double fewest = Double.MAX_VALUE;
    double most = 0;
    for (double size : new double[] {room.low(), room.high()}) {
      Pauses low = pauses(size, use.youngSeconds().low(), use.keptPerSecond().low(), false);
      Pauses high = pauses(size, use.youngSeconds().high(), use.keptPerSecond().high(), true);
      bySize.add(new Between(low, high));
      cheap = cheap == null || low.stopped() < cheap.stopped() ? low : cheap;
      dear = dear == null || high.stopped() > dear.stopped() ? high : dear;
      fewest = Math.min(fewest, low.collections() * (1 - ALLOCATION_ERROR));
      most = Math.max(most, high.collections() * (1 + ALLOCATION_ERROR));
    }
    return new Outcome(
        new Range(fewest, most),
        Range.of(
            cheap.stopped() * (1 - ALLOCATION_ERROR),
            Math.min(1, dear.stopped() * (1 + ALLOCATION_ERROR))),
        cheap.between(dear),
        bySize);
  }

  private Pauses pauses(double size, double seconds, double kept, boolean dear) {
    double perMinute = SECONDS_PER_MINUTE * use.allocatedPerSecond() / size;
    // A pause as seen has moved what came to stay in the room as it is now.
    double more =
        use.movedPerSecond().low() > 0
            ? kept * (size - use.roomBytes()) / use.allocatedPerSecond() / moved(dear)
            : 0;
    double full = dear ? fullPerMinute(kept) : 0;
    return new Pauses(
        perMinute,
        Math.max(LEAST_PAUSE * seconds, seconds + more),
        full,
        use.fullSeconds().orElse(0));
  }

  private double moved(boolean dear) {
    return dear ? use.movedPerSecond().low() : use.movedPerSecond().high();
  }

  private double fullPerMinute(double kept) {
    boolean divided = use.collector() == HeapUse.Collector.DIVIDED;
    double room = oldRoom(use.liveBytes().high());
    return divided && use.fullSeconds().isPresent() && room > 0
        ? SECONDS_PER_MINUTE * kept / room
        : 0;
  }

  private double oldRoom(double live) {
    return heap - young() - live;
  }

  private double young() {
    return use.fixedYoung().orElse(heap / (1 + use.newRatio()));
  }

  /** Bytes that can be allocated between two collections. */
  private Range room() {
    double live = use.liveBytes().high();
    return switch (use.collector()) {
      // What the operator set is what new objects have now, whatever the heap.
      case DIVIDED ->
          use.fixedYoung().isPresent() && use.roomBytes() > 0
              ? new Range(use.roomBytes(), use.roomBytes())
              : new Range(LEAST_EDEN * young(), young());
      case G1 -> {
        double most = Math.min(G1_MOST_YOUNG * heap, (1 - G1_RESERVE) * heap - live);
        boolean marking = live > use.markingFrom() * heap;
        double least = marking ? G1_LEAST_YOUNG * heap : G1_LEARNING * most;
        yield Range.of(Math.min(least, most), most);
      }
      case CONCURRENT -> Range.of(EARLIEST_START * (heap - live), heap - live);
    };
  }
}
