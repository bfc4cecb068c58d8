package io.gcdiag.causes.memory;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Latency;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.books.Prediction.Range;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.UndisturbedLatency;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.RequestModel;
import io.gcdiag.queueing.Stall;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Collections, time stopped and latency in a heap of another size. */
public final class HeapSizes {

  private static final List<String> ASSUMPTIONS =
      List.of(
          "the allocation rate is that of the incident",
          "the live set does not grow further",
          "the collector and its other settings stay as they are");

  /** One minute of simulated pauses, and at least this many. */
  private static final int LEAST_PAUSES = 20;

  /** Longer runs than this show no other tail. */
  private static final Duration LONGEST_RUN = Duration.ofMinutes(10);

  /** Enough requests for a 99th percentile to settle. */
  private static final double MOST_REQUESTS = 100_000;

  private static final double SECONDS_PER_MINUTE = 60;

  private final Case incident;
  private final Hypothesis hypothesis;
  private final Optional<HeapUse> use;

  public HeapSizes(Case incident, Hypothesis hypothesis, Optional<HeapUse> use) {
    this.use = use;
    this.incident = incident;
    this.hypothesis = hypothesis;
  }

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
   * A larger heap than there is now neither fills more often nor stops for longer: a model that
   * says so does not reproduce what is now.
   */
  private Prediction bounded(
      String change, Quantity quantity, double now, Range range, Bytes heap, String basis) {
    Range stated = range.stated();
    boolean larger = now > 0 && heap.value() > use.orElseThrow().heapBytes();
    Optional<Range> bounded =
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

  /** Why the tail of a larger heap may be longer than that of a smaller one. */
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
    // Many short pauses take more of the time than few long ones, and may delay the tail less.
    for (HeapModel.Between pauses : outcome.bySize()) {
      Duration least = tail(pauses.cheap(), rate.get(), latency.get().fastest(), Optional.empty());
      Duration most = tail(pauses.dear(), rate.get(), usual, cpu);
      low = Math.min(low, least.toNanos());
      high = Math.max(high, most.toNanos());
    }
    Duration likely = tail(outcome.likely(), rate.get(), usual, cpu);
    Range bounds = Range.of(low, high);
    return Latency.prediction(
        incident,
        hypothesis,
        change,
        now,
        new Range(
            bounds.low(),
            bounds.high(),
            Math.max(bounds.low(), Math.min(bounds.high(), likely.toNanos()))),
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
            SECONDS_PER_MINUTE * Math.max(1, LEAST_PAUSES / Math.max(1e-9, pauses.collections())));
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

  /** Evenly spread: collections come when a room is full, and that fills steadily. */
  private static List<Stall> stalls(HeapModel.Pauses pauses, double seconds) {
    List<Stall> stalls = new ArrayList<>();
    add(stalls, pauses.perMinute(), pauses.seconds(), seconds);
    add(stalls, pauses.fullPerMinute(), pauses.fullSeconds(), seconds);
    return stalls;
  }

  private static void add(List<Stall> stalls, double perMinute, double each, double seconds) {
    double gap = SECONDS_PER_MINUTE / Math.max(perMinute, 1e-9);
    for (double at = gap / 2; at < seconds; at += Math.max(gap, each)) {
      stalls.add(new Stall(Durations.ofSeconds(at), Durations.ofSeconds(each)));
    }
  }

  private List<Prediction> refused(String change, String why) {
    return List.of(
        prediction(change, Quantity.COLLECTIONS, OptionalDouble.empty(), Optional.empty(), why));
  }

  private Prediction prediction(
      String change, Quantity quantity, OptionalDouble now, Optional<Range> range, String basis) {
    return new Prediction(hypothesis, change, quantity, now, range, basis, ASSUMPTIONS);
  }
}
