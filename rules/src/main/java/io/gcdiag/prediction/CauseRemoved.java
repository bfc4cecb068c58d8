package io.gcdiag.prediction;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.PauseKind;
import io.gcdiag.evidence.Pauses;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.AllocationRate;
import io.gcdiag.ledger.RequestRate;
import io.gcdiag.prediction.Prediction.Quantity;
import io.gcdiag.prediction.Prediction.Range;
import io.gcdiag.rules.HeapRoom;
import io.gcdiag.rules.Hypothesis;
import io.gcdiag.rules.PausesAlone;
import io.gcdiag.rules.UndisturbedLatency;
import io.gcdiag.stats.EventCount;
import io.gcdiag.units.Ratio;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What is left once a cause is gone, whatever was done about it: the figures of the calm. */
final class CauseRemoved {

  /**
   * Causes that make the collector work, so that it works less without them: exceptions and their
   * stack traces are objects as well.
   */
  private static final Set<Hypothesis> OF_COLLECTIONS =
      EnumSet.of(
          Hypothesis.MEMORY_PRESSURE,
          Hypothesis.HEAP_RESIZING,
          Hypothesis.MEMORY_LEAK,
          Hypothesis.HUMONGOUS_ALLOCATION,
          Hypothesis.GC_LOCKER,
          Hypothesis.EXPLICIT_GC,
          Hypothesis.METASPACE_PRESSURE,
          Hypothesis.EXCEPTION_STORM);

  /** Causes that take the cores from the collector as well: how much is not known. */
  private static final Set<Hypothesis> LENGTHENS_PAUSES =
      EnumSet.of(Hypothesis.CPU_SATURATION, Hypothesis.HOST_CPU_CONTENTION);

  /** Causes that touch the requests that meet a pause, and no others. */
  private static final Set<Hypothesis> BY_PAUSES =
      EnumSet.of(
          Hypothesis.MEMORY_PRESSURE,
          Hypothesis.HEAP_RESIZING,
          Hypothesis.ALLOCATION_CHURN,
          Hypothesis.HUMONGOUS_ALLOCATION,
          Hypothesis.EXPLICIT_GC,
          Hypothesis.METASPACE_PRESSURE);

  private static final List<String> ASSUMPTIONS =
      List.of("the load is that of the incident", "nothing else was wrong besides this cause");

  private static final double SECONDS_PER_MINUTE = 60;

  /** With more than this left, the figures of the calm promise too much. */
  private static final double MOST = 0.75;

  /** Fewer young collections show neither what they cost nor what they leave. */
  private static final int FEWEST_YOUNG = 3;

  private static final String HOW_MUCH_LESS =
      "how much less is allocated depends on what is changed";

  /**
   * A queue at half of its capacity is at three quarters with so many times the requests: waits
   * that were not worth speaking of become as long as the work.
   */
  private static final double FAR_MORE_ASKED = 1.5;

  /** So many times as much left by collections is more than a working set moves by. */
  private static final double FAR_MORE_ALIVE = 1.25;

  private final Incident incident;
  private final Hypothesis hypothesis;

  CauseRemoved(Incident incident, Hypothesis hypothesis) {
    this.incident = incident;
    this.hypothesis = hypothesis;
  }

  private String change() {
    return hypothesis.id() + " removed";
  }

  /**
   * Latency once a cause is gone that may not be the only one.
   *
   * @param share how much of what was lost it explains, if that is known
   */
  Prediction latency(OptionalDouble share) {
    return share.isPresent() && share.getAsDouble() < MOST
        ? none(
            Quantity.LATENCY_P99,
            Latency.now(incident),
            "it explains "
                + new Ratio(share.getAsDouble())
                + " of what was lost: what the rest goes on to cost is not known")
        : latency();
  }

  /** Latency alone: collections are not what this cause is about. */
  Prediction latency() {
    if (hypothesis == Hypothesis.ALLOCATION_CHURN
        && UndisturbedLatency.of(incident, 1).filter(UndisturbedLatency::isMeasured).isEmpty()) {
      // Allocating takes time itself, in every request: the fastest have it in them as well.
      return none(Quantity.LATENCY_P99, Latency.now(incident), HOW_MUCH_LESS);
    }
    boolean byPauses = BY_PAUSES.contains(hypothesis);
    double touched = byPauses ? PausesAlone.of(incident).map(PausesAlone::touched).orElse(1.0) : 1;
    Optional<UndisturbedLatency> latency = UndisturbedLatency.of(incident, touched);
    if (latency.isEmpty()) {
      return none(Quantity.LATENCY_P99, Latency.now(incident), Latency.NOT_KNOWN);
    }
    if (!byPauses && !latency.get().isMeasured()) {
      return none(
          Quantity.LATENCY_P99,
          Latency.now(incident),
          incident.timeline().mainRequestSeries().isPresent() ? Latency.NO_CALM : Latency.MIXED);
    }
    if (latency.get().isMeasured() && RequestRate.busier(incident) >= FAR_MORE_ASKED) {
      return none(
          Quantity.LATENCY_P99,
          Latency.now(incident),
          "the calm had far fewer requests: how long so many take is not to be seen in it");
    }
    if (latency.get().isMeasured() && isMoreAlive()) {
      return none(
          Quantity.LATENCY_P99,
          Latency.now(incident),
          "more is alive than in the calm: how long requests take with that is not to be seen in it");
    }
    return Latency.prediction(
        hypothesis,
        change(),
        Latency.now(incident),
        Range.of(
            latency.get().atLeast(PausesAlone.TAIL).toNanos(),
            latency.get().atMost(PausesAlone.TAIL).toNanos()),
        latency.get().basis(),
        ASSUMPTIONS);
  }

  /** Collections and the share of time stopped. */
  List<Prediction> collections() {
    Timeline timeline = incident.timeline();
    CollectionCount now = CollectionCount.of(timeline, incident.windows().incident());
    Optional<CollectionCount> calm =
        incident.windows().baseline().map(window -> CollectionCount.of(timeline, window));
    boolean remain = !OF_COLLECTIONS.contains(hypothesis);
    if (hypothesis == Hypothesis.ALLOCATION_CHURN) {
      return refused(now, HOW_MUCH_LESS);
    }
    if (hypothesis == Hypothesis.HUMONGOUS_ALLOCATION || isAsked(calm)) {
      List<Prediction> filled = new HeapSizes(incident, hypothesis).asItIs(change());
      if (!filled.isEmpty()) {
        return filled;
      }
    }
    if (calm.isEmpty() && !remain) {
      return refused(now, "there is no calm in the inputs to go back to");
    }
    double busier = calm.isPresent() ? busier() : 1;
    if (!timeline.coverage().of(Signal.GC_PAUSES).recorded()) {
      return refused(now, "no collection is in the inputs");
    }
    Optional<Ways> before = calm.map(count -> ways(count, busier));
    Ways ways =
        before
            .map(calmly -> remain ? calmly.or(ways(now, 1)) : calmly)
            .orElseGet(() -> ways(now, 1));
    String basis =
        (calm.isPresent() ? "as in the calm" + (remain ? " or now" : "") : "as now")
            + ", within the error of counting"
            + (busier > 1 ? ", up to as much more as the incident allocates" : "");
    return List.of(
        new Prediction(
            hypothesis,
            change(),
            Quantity.COLLECTIONS,
            OptionalDouble.of(now.perMinute()),
            Optional.of(ways.perMinute()),
            basis,
            ASSUMPTIONS),
        usualPause() == 0
            ? none(
                Quantity.STOPPED,
                OptionalDouble.of(now.stoppedShare()),
                "no collection is in the inputs to say how long one stops")
            : stopped(now, ways.stopped(), basis));
  }

  private Prediction stopped(CollectionCount now, Range due, String basis) {
    return new Prediction(
        hypothesis,
        change(),
        Quantity.STOPPED,
        OptionalDouble.of(now.stoppedShare()),
        Optional.of(
            LENGTHENS_PAUSES.contains(hypothesis) ? new Range(0, due.high(), due.middle()) : due),
        basis,
        ASSUMPTIONS);
  }

  /** Whether the heap is too small for what the calm did not have, and which may have to stay. */
  private boolean isMoreAlive() {
    Timeline timeline = incident.timeline();
    OptionalDouble now = used(timeline, incident.windows().incident());
    OptionalDouble before =
        incident.windows().baseline().map(calm -> used(timeline, calm)).orElse(now);
    return hypothesis == Hypothesis.MEMORY_PRESSURE
        && now.orElse(0) > FAR_MORE_ALIVE * before.orElse(Double.MAX_VALUE);
  }

  private static OptionalDouble used(Timeline timeline, Window window) {
    return HeapRoom.after(timeline, window)
        .map(room -> OptionalDouble.of(room.typical().used().value()))
        .orElse(OptionalDouble.empty());
  }

  /** Whether collections were asked for and no calm shows how many come by themselves. */
  private boolean isAsked(Optional<CollectionCount> calm) {
    if (hypothesis != Hypothesis.EXPLICIT_GC || calm.isPresent()) {
      return false;
    }
    Pauses pauses = incident.timeline().pauses(incident.windows().incident());
    return pauses.ofType(type -> type.kind() == PauseKind.YOUNG).size() >= FEWEST_YOUNG;
  }

  /** Collections a minute and share of time stopped, as some stretch of time suggests them. */
  private record Ways(Range perMinute, Range stopped) {
    Ways or(Ways other) {
      return new Ways(both(perMinute, other.perMinute), both(stopped, other.stopped));
    }

    private static Range both(Range one, Range other) {
      return new Range(
          Math.min(one.low(), other.low()),
          Math.max(one.high(), other.high()),
          (one.middle() + other.middle()) / 2);
    }
  }

  private Ways ways(CollectionCount seen, double more) {
    int count = seen.count();
    EventCount due = EventCount.of(count);
    double each = count == 0 ? usualPause() : seen.stoppedShare() * seen.seconds() / count;
    double low = due.atLeast() / seen.seconds();
    double likely = due.expected() * Math.sqrt(more) / seen.seconds();
    double high = due.atMost() * more / seen.seconds();
    return new Ways(
        new Range(low * SECONDS_PER_MINUTE, high * SECONDS_PER_MINUTE, likely * SECONDS_PER_MINUTE),
        new Range(Math.min(1, low * each), Math.min(1, high * each), Math.min(1, likely * each)));
  }

  /** Seconds stopped per collection over all that is known. */
  private double usualPause() {
    Timeline timeline = incident.timeline();
    CollectionCount all = CollectionCount.of(timeline, timeline.span());
    return all.count() == 0 ? 0 : all.stoppedShare() * all.seconds() / all.count();
  }

  private List<Prediction> refused(CollectionCount now, String why) {
    return List.of(
        none(Quantity.COLLECTIONS, OptionalDouble.of(now.perMinute()), why),
        none(Quantity.STOPPED, OptionalDouble.of(now.stoppedShare()), why));
  }

  /** By what factor the incident allocated more than the calm: its load may have been higher. */
  private double busier() {
    Timeline timeline = incident.timeline();
    Optional<Window> calm = incident.windows().baseline();
    Optional<AllocationRate> before = calm.flatMap(c -> AllocationRate.of(timeline, c));
    Optional<AllocationRate> during = AllocationRate.of(timeline, incident.windows().incident());
    if (before.isEmpty() || during.isEmpty() || before.get().bytesPerSecond() <= 0) {
      return 1;
    }
    return Math.max(1, during.get().bytesPerSecond() / before.get().bytesPerSecond());
  }

  private Prediction none(Quantity quantity, OptionalDouble now, String why) {
    return new Prediction(hypothesis, change(), quantity, now, Optional.empty(), why, ASSUMPTIONS);
  }
}
