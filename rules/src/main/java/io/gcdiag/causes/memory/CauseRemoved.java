package io.gcdiag.causes.memory;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Latency;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.books.Prediction.Range;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.UndisturbedLatency;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What is left once a cause is gone, whatever was done about it: the figures of the baseline. */
public final class CauseRemoved {

  /**
   * Causes that make the collector work, so that it works less without them: exceptions and their
   * stack traces are objects as well.
   */
  private static final Set<Hypothesis> OF_COLLECTIONS =
      EnumSet.of(
          Hypothesis.MEMORY_PRESSURE,
          Hypothesis.HEAP_RESIZING,
          Hypothesis.MEMORY_LEAK,
          Hypothesis.FINALIZER_BACKLOG,
          Hypothesis.HUMONGOUS_ALLOCATION,
          Hypothesis.GC_LOCKER,
          Hypothesis.EXPLICIT_GC,
          Hypothesis.DIRECT_MEMORY,
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
      List.of("the load is that of the incident", "there is no other cause");

  /** With more than this left, the figures of the baseline promise too much. */
  private static final double MOST = 0.75;

  /** Fewer young collections show neither what they cost nor what they leave. */
  private static final int FEWEST_YOUNG = 3;

  private static final String HOW_MUCH_LESS = "how much less is allocated depends on the change";

  /**
   * A queue at half of its capacity is at three quarters with so many times the requests: waits
   * that were not worth speaking of become as long as the work.
   */
  private static final double FAR_MORE_ASKED = 1.5;

  /** So many times as much left by collections is more than a working set moves by. */
  private static final double FAR_MORE_ALIVE = 1.25;

  /**
   * By such factors the 99th percentile with the cause removed differs from the baseline's beyond
   * what that is known to: eight of ten of the fixes of the first two blind tests ({@code
   * docs/predictions.md}) are within these. It is rather more than less, as what came with the
   * cause, such as more work in each request, stays.
   */
  private static final double LESS_IN_ANOTHER_RUN = 0.84;

  private static final double MORE_IN_ANOTHER_RUN = 1.67;

  private final Case incident;
  private final Hypothesis hypothesis;

  public CauseRemoved(Case incident, Hypothesis hypothesis) {
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
  public Prediction latency(OptionalDouble share) {
    return share.isPresent() && share.getAsDouble() < MOST
        ? none(
            Quantity.LATENCY_P99,
            Latency.now(incident),
            "it explains only " + new Ratio(share.getAsDouble()) + " of the lost time")
        : latency();
  }

  /** Latency alone: collections are not what this cause is about. */
  public Prediction latency() {
    if (hypothesis == Hypothesis.ALLOCATION_CHURN
        && UndisturbedLatency.of(incident, 1).filter(UndisturbedLatency::isMeasured).isEmpty()) {
      // Allocating takes time itself, in every request: the fastest have it in them as well.
      return none(Quantity.LATENCY_P99, Latency.now(incident), HOW_MUCH_LESS);
    }
    boolean byPauses = BY_PAUSES.contains(hypothesis);
    double touched = byPauses ? incident.pausesAlone().map(PausesAlone::touched).orElse(1.0) : 1;
    Optional<UndisturbedLatency> latency = UndisturbedLatency.of(incident, touched);
    if (latency.isEmpty()) {
      return none(Quantity.LATENCY_P99, Latency.now(incident), Latency.notKnown(incident));
    }
    if (!byPauses && !latency.get().isMeasured()) {
      return none(Quantity.LATENCY_P99, Latency.now(incident), Latency.notSeparated(incident));
    }
    if (latency.get().isMeasured() && RequestRate.busier(incident) >= FAR_MORE_ASKED) {
      return none(
          Quantity.LATENCY_P99,
          Latency.now(incident),
          "the baseline had far fewer requests than the incident");
    }
    if (latency.get().isMeasured() && isMoreAlive()) {
      return none(
          Quantity.LATENCY_P99,
          Latency.now(incident),
          "the live set is larger than in the baseline");
    }
    Prediction asBefore =
        Latency.prediction(
            incident,
            hypothesis,
            change(),
            Latency.now(incident),
            Range.of(
                latency.get().atLeast(PausesAlone.TAIL).toNanos(),
                latency.get().atMost(PausesAlone.TAIL).toNanos()),
            latency.get().basis(),
            ASSUMPTIONS);
    return asBefore.withRange(asBefore.range().map(CauseRemoved::inAnotherRun));
  }

  private static Range inAnotherRun(Range range) {
    return new Range(
        LESS_IN_ANOTHER_RUN * range.low(), MORE_IN_ANOTHER_RUN * range.high(), range.middle());
  }

  /** Collections and the share of time stopped. */
  public List<Prediction> collections() {
    Timeline timeline = incident.timeline();
    CollectionCount now = CollectionCount.of(timeline, incident.window());
    Optional<CollectionCount> calm =
        incident.baseline().map(window -> CollectionCount.of(timeline, window));
    boolean remain = !OF_COLLECTIONS.contains(hypothesis);
    if (hypothesis == Hypothesis.ALLOCATION_CHURN) {
      return refused(now, HOW_MUCH_LESS);
    }
    if (hypothesis == Hypothesis.HUMONGOUS_ALLOCATION || isAsked(calm)) {
      List<Prediction> filled =
          new HeapSizes(incident, hypothesis, HeapUse.of(incident)).asItIs(change());
      if (!filled.isEmpty()) {
        return filled;
      }
    }
    if (calm.isEmpty() && !remain) {
      return refused(now, "there is no baseline in the inputs");
    }
    if (!timeline.sees(Signal.GC_PAUSES)) {
      return refused(now, "no GC is in the inputs");
    }
    CollectionsDue due = CollectionsDue.of(incident, now, calm, remain);
    String basis =
        (calm.isPresent() ? "as in the baseline" + (remain ? " or now" : "") : "as now")
            + ", within the error of counting"
            + (due.more() ? ", up to as much more as the incident allocates" : "");
    return List.of(
        new Prediction(
            hypothesis,
            change(),
            Quantity.COLLECTIONS,
            OptionalDouble.of(now.perMinute()),
            Optional.of(due.perMinute().stated()),
            basis,
            ASSUMPTIONS),
        due.stopped()
            .map(stopped -> stopped(now, stopped, basis))
            .orElseGet(
                () ->
                    none(
                        Quantity.STOPPED,
                        OptionalDouble.of(now.stoppedShare()),
                        "no GC is in the inputs to show how long one pauses")));
  }

  /** No latency, for that reason. */
  public Prediction refused(String why) {
    return none(Quantity.LATENCY_P99, Latency.now(incident), why);
  }

  private Prediction stopped(CollectionCount now, Range due, String basis) {
    return new Prediction(
        hypothesis,
        change(),
        Quantity.STOPPED,
        OptionalDouble.of(now.stoppedShare()),
        Optional.of(
            (LENGTHENS_PAUSES.contains(hypothesis) ? new Range(0, due.high(), due.middle()) : due)
                .stated()),
        basis,
        ASSUMPTIONS);
  }

  /**
   * Whether the heap is too small for what the baseline did not have, and which may have to stay.
   */
  private boolean isMoreAlive() {
    OptionalDouble now = used(incident.window());
    OptionalDouble before = incident.baseline().map(this::used).orElse(now);
    return hypothesis == Hypothesis.MEMORY_PRESSURE
        && now.orElse(0) > FAR_MORE_ALIVE * before.orElse(Double.MAX_VALUE);
  }

  private OptionalDouble used(Window window) {
    return Numbers.of(incident.heap(window).room(), room -> room.typical().used().value());
  }

  /** Whether collections were asked for and no baseline shows how many come by themselves. */
  private boolean isAsked(Optional<CollectionCount> calm) {
    boolean requests =
        hypothesis == Hypothesis.EXPLICIT_GC || hypothesis == Hypothesis.DIRECT_MEMORY;
    if (!requests || calm.isPresent()) {
      return false;
    }
    Pauses pauses = incident.timeline().pauses(incident.window());
    return pauses.ofType(type -> type.kind() == PauseKind.YOUNG).size() >= FEWEST_YOUNG;
  }

  private List<Prediction> refused(CollectionCount now, String why) {
    return List.of(
        none(Quantity.COLLECTIONS, OptionalDouble.of(now.perMinute()), why),
        none(Quantity.STOPPED, OptionalDouble.of(now.stoppedShare()), why));
  }

  private Prediction none(Quantity quantity, OptionalDouble now, String why) {
    return new Prediction(hypothesis, change(), quantity, now, Optional.empty(), why, ASSUMPTIONS);
  }
}
