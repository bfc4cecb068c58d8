package io.gcdiag.causes.memory;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Latency;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.UndisturbedLatency;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.RequestModel;
import io.gcdiag.queueing.Stall;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Collections, time stopped and latency in a heap of another size. */
public record HeapSizes(MeasuredIncident incident, Hypothesis hypothesis, Optional<HeapUse> use) {

  private static final List<String> ASSUMPTIONS =
      List.of(
          "the allocation rate is that of the incident",
          "the live set does not grow further",
          "the collector and its other settings stay as they are");

  /** One minute of simulated pauses, and at least this many. */
  private static final int LEAST_PAUSES = 20;

  /** Longer runs do not change the tail. */
  private static final Duration LONGEST_RUN = Duration.ofMinutes(10);

  /** Enough requests for a 99th percentile to settle. */
  private static final double MOST_REQUESTS = 100_000;

  /** Predicts a heap of so many bytes. */
  public List<Prediction> at(String change, Bytes heap) {
    if (use.isEmpty()) {
      return refused(change, "the inputs show the heap around too few GCs");
    }
    Optional<String> refusal = HeapModel.refusal(use.get(), heap.value());
    if (refusal.isPresent()) {
      return refused(change, refusal.get());
    }
    HeapModel.Outcome outcome = HeapModel.at(use.get(), heap.value());
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double collections = CollectionCount.of(timeline, window).perMinute();
    double stopped = PauseTotals.of(timeline, window).shareStopped();
    String basis =
        "an allocation rate of "
            + Bytes.of(Math.round(use.get().allocatedPerSecond()))
            + "/s against the headroom above a live set of "
            + Bytes.of(Math.round(use.get().liveBytes().high()));
    List<Prediction> predictions = new ArrayList<>();
    predictions.add(
        bounded(change, Quantity.COLLECTIONS, collections, outcome.collections(), heap, basis));
    predictions.add(
        bounded(
            change,
            Quantity.STOPPED,
            stopped,
            outcome.stopped(),
            heap,
            "pauses as long as those recorded, plus the time to copy what is newly live"));
    predictions.add(
        use.get().collector() == HeapUse.Collector.CONCURRENT
            ? prediction(
                change,
                Quantity.LATENCY_P99,
                Latency.now(incident),
                Optional.empty(),
                "allocation stalls of a concurrent collector are not modelled")
            : latency(change, outcome));
    return predictions;
  }

  /**
   * A larger heap cannot fill more often or stop for longer than the present one; a model that
   * predicts this does not reproduce the present.
   */
  private Prediction bounded(
      String change, Quantity quantity, double now, Estimate range, Bytes heap, String basis) {
    Estimate stated = range.stated();
    boolean larger = now > 0 && heap.value() > use.orElseThrow().heapBytes();
    Optional<Estimate> bounded =
        Optional.of(stated)
            .filter(some -> !larger || some.low() <= now)
            .map(some -> larger ? some.upTo(now) : some);
    return prediction(
        change,
        quantity,
        OptionalDouble.of(now),
        bounded,
        bounded.isEmpty() ? "the model gives more than there is in the present heap" : basis);
  }

  /** Reason why a larger heap may have a longer tail than a smaller one. */
  private String longer(HeapModel.Outcome outcome) {
    double now = use.orElseThrow().youngSeconds().high();
    return outcome.bySize().stream().anyMatch(pauses -> pauses.dear().seconds() > now)
        ? "; pauses are fewer and up to %s long (now %s): each copies what stays of more allocation"
            .formatted(
                Durations.format(
                    outcome.bySize().stream()
                        .mapToDouble(pauses -> pauses.dear().seconds())
                        .max()
                        .orElse(now)),
                Durations.format(now))
        : "";
  }

  /**
   * Collections of the heap as it is, if they come whenever its young generation is full and at no
   * other time: none is requested, and what was allocated beside it is allocated in it, because it
   * has become small enough or the regions large enough.
   *
   * @return empty if the inputs do not carry it
   */
  List<Prediction> asItIs(String change) {
    if (use.isEmpty() || HeapModel.refusal(use.get(), use.get().heapBytes()).isPresent()) {
      return List.of();
    }
    return at(change, Bytes.of(Math.round(use.get().heapBytes()))).stream()
        .filter(prediction -> prediction.quantity() != Quantity.LATENCY_P99)
        .toList();
  }

  private Prediction latency(String change, HeapModel.Outcome outcome) {
    Optional<Rate> rate = RequestRate.of(incident.timeline(), incident.window());
    double touched = incident.pausesAlone().map(PausesAlone::touched).orElse(1.0);
    Optional<UndisturbedLatency> latency = UndisturbedLatency.of(incident, touched);
    // Requests before and after it are not simulated: a whole test's percentile is another figure.
    OptionalDouble now = Latency.ofIncident(incident);
    if (rate.isEmpty() || latency.isEmpty()) {
      return prediction(
          change, Quantity.LATENCY_P99, now, Optional.empty(), Latency.notKnown(incident));
    }
    HoldTime usual = latency.get().distribution();
    Optional<HoldTime> cpu = PausesAlone.cpuPerRequest(incident);
    double low = Double.MAX_VALUE;
    double high = 0;
    // Many short pauses may take more time in total than a few long ones and still delay the tail
    // less.
    for (HeapModel.Between pauses : outcome.bySize()) {
      Duration least = tail(pauses.cheap(), rate.get(), latency.get().fastest(), Optional.empty());
      Duration most = tail(pauses.dear(), rate.get(), usual, cpu);
      low = Math.min(low, least.toNanos());
      high = Math.max(high, most.toNanos());
    }
    Duration likely = tail(outcome.likely(), rate.get(), usual, cpu);
    Estimate bounds = Estimate.of(low, high);
    return Latency.prediction(
        incident,
        hypothesis,
        change,
        now,
        new Estimate(
            bounds.low(),
            Math.max(bounds.low(), Math.min(bounds.high(), likely.toNanos())),
            bounds.high()),
        "requests simulated under the predicted pauses%s%s; without pauses: %s"
            .formatted(
                now.isPresent()
                    ? ""
                    : ", of the incident alone, unlike the whole load test's percentile",
                longer(outcome),
                latency.get().basis()),
        ASSUMPTIONS);
  }

  private Duration tail(
      HeapModel.Pauses pauses, Rate rate, HoldTime latency, Optional<HoldTime> cpu) {
    double seconds =
        Math.min(
            Durations.seconds(LONGEST_RUN),
            Durations.SECONDS_PER_MINUTE
                * Math.max(1, LEAST_PAUSES / Math.max(1e-9, pauses.collections())));
    double thinned = Math.min(rate.perSecond(), MOST_REQUESTS / seconds);
    boolean whole = thinned == rate.perSecond() && cpu.isPresent();
    return PausesAlone.run(
            new Rate(thinned),
            whole ? incident.timeline().jvm().cpus() : OptionalInt.empty(),
            whole ? cpu.get() : RequestModel.NOTHING,
            latency,
            Durations.ofSeconds(seconds),
            stalls(pauses, seconds))
        .responses()
        .quantile(PausesAlone.TAIL);
  }

  /** Evenly spaced: a collection comes when the room is full, and it fills steadily. */
  private static List<Stall> stalls(HeapModel.Pauses pauses, double seconds) {
    List<Stall> stalls = new ArrayList<>();
    add(stalls, pauses.perMinute(), pauses.seconds(), seconds);
    add(stalls, pauses.fullPerMinute(), pauses.fullSeconds(), seconds);
    return stalls;
  }

  private static void add(List<Stall> stalls, double perMinute, double each, double seconds) {
    double gap = Durations.SECONDS_PER_MINUTE / Math.max(perMinute, 1e-9);
    for (double at = gap / 2; at < seconds; at += Math.max(gap, each)) {
      stalls.add(new Stall(Durations.ofSeconds(at), Durations.ofSeconds(each)));
    }
  }

  private List<Prediction> refused(String change, String why) {
    return List.of(
        prediction(change, Quantity.COLLECTIONS, OptionalDouble.empty(), Optional.empty(), why));
  }

  private Prediction prediction(
      String change,
      Quantity quantity,
      OptionalDouble now,
      Optional<Estimate> range,
      String basis) {
    return new Prediction(hypothesis, change, quantity, now, range, basis, ASSUMPTIONS);
  }

  /**
   * What collections would cost in a heap of another size.
   *
   * <p>A young collection comes when the room for new objects is used up: allocation rate over
   * room. It costs what it costs now, and for each byte that has come to stay since the last one
   * the time to move it. The room follows from the heap's size as the collector divides it. Full
   * GCs come as often as what young ones promote fills the rest.
   */
  private record HeapModel(HeapUse use, double heap) {

    /**
     * Allocation is known to about a tenth: sampled weights to 4 %, heap differences to 10 to 20.
     */
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

    /** Part of a pause does not depend on how much it moves. */
    private static final double LEAST_PAUSE = 0.25;

    /**
     * The predicted outcome.
     *
     * @param collections per minute, full ones among them
     * @param stopped share of the time
     * @param likely pauses between those that take least and most of the time
     * @param bySize pauses with the least and with the most space for new objects
     */
    record Outcome(Estimate collections, Estimate stopped, Pauses likely, List<Between> bySize) {}

    /**
     * Pauses with one size of the space for new objects.
     *
     * @param cheap those that cost least
     * @param dear those that cost most
     */
    record Between(Pauses cheap, Pauses dear) {}

    /**
     * Recurring pauses.
     *
     * @param perMinute young collections a minute
     * @param seconds each
     * @param fullPerMinute full GCs a minute
     * @param fullSeconds each
     */
    record Pauses(double perMinute, double seconds, double fullPerMinute, double fullSeconds) {
      double stopped() {
        return Math.min(
            1, (perMinute * seconds + fullPerMinute * fullSeconds) / Durations.SECONDS_PER_MINUTE);
      }

      double collections() {
        return perMinute + fullPerMinute;
      }

      /** Pauses between these and others: the geometric mean, if both are above 0. */
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
      Estimate room = room();
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
          new Estimate(fewest, most),
          Estimate.of(
              cheap.stopped() * (1 - ALLOCATION_ERROR),
              Math.min(1, dear.stopped() * (1 + ALLOCATION_ERROR))),
          cheap.between(dear),
          bySize);
    }

    private Pauses pauses(double size, double seconds, double kept, boolean dear) {
      double perMinute = Durations.SECONDS_PER_MINUTE * use.allocatedPerSecond() / size;
      // The measured pauses moved what survived in the present room.
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
          ? Durations.SECONDS_PER_MINUTE * kept / room
          : 0;
    }

    private double oldRoom(double live) {
      return heap - young() - live;
    }

    private double young() {
      return use.fixedYoung().orElse(heap / (1 + use.newRatio()));
    }

    /** Bytes that can be allocated between two collections. */
    private Estimate room() {
      double live = use.liveBytes().high();
      return switch (use.collector()) {
        // A size set by the operator holds for every heap size.
        case DIVIDED ->
            use.fixedYoung().isPresent() && use.roomBytes() > 0
                ? new Estimate(use.roomBytes(), use.roomBytes())
                : new Estimate(LEAST_EDEN * young(), young());
        case G1 -> {
          double most = Math.min(G1_MOST_YOUNG * heap, (1 - G1_RESERVE) * heap - live);
          boolean marking = live > use.markingFrom() * heap;
          double least = marking ? G1_LEAST_YOUNG * heap : G1_LEARNING * most;
          yield Estimate.of(Math.min(least, most), most);
        }
        case CONCURRENT -> Estimate.of(EARLIEST_START * (heap - live), heap - live);
      };
    }
  }
}
