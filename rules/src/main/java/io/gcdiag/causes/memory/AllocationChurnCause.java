package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.UndisturbedLatency;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Growth;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The application allocates so fast that young collections are very frequent. */
public final class AllocationChurnCause extends Cause {

  /**
   * The share of the allocation that can realistically be saved at the sites that allocate most.
   */
  private static final double HALF = 0.5;

  /** Half the width of its predicted range, as a share of the present value. */
  private static final double HALF_WITHIN = 0.1;

  public AllocationChurnCause() {
    super(
        Hypothesis.ALLOCATION_CHURN,
        "Allocation churn: too much garbage per request",
        "reduce what a request allocates: start with the stacks that allocate "
            + "most; cache or stream large responses, make fewer calls per request",
        List.of(new AllocationPerRequestRule()),
        Trait.BY_PAUSES,
        Trait.SEEN_IN_ALLOCATION);
  }

  /** Allocating code by samples; without samples, the code that requests run in thread dumps. */
  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .mostOfAll(Activity.ALLOCATING)
            .or(found.own()::runningInDumps)
            .or(() -> found.own().inDumps(ThreadState::requestThread)));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "allocate less per request: keep and reuse the result (a cache), or stream it");
  }

  /**
   * The number of collections is proportional to the allocation rate while the survival rate is
   * constant.
   */
  @Override
  public List<Prediction> predictions(
      MeasuredIncident incident, List<Finding> findings, OptionalDouble share) {
    CollectionCount now = CollectionCount.of(incident.timeline(), incident.window());
    double stopped = PauseTotals.of(incident.timeline(), incident.window()).shareStopped();
    List<Prediction> predictions = new ArrayList<>();
    if (now.count() > 0) {
      predictions.add(half(Quantity.COLLECTIONS, now.perMinute()));
      predictions.add(half(Quantity.STOPPED, stopped));
    }
    predictions.add(latency(incident, OptionalDouble.empty()));
    return predictions;
  }

  private Prediction half(Quantity quantity, double now) {
    return new Prediction(
        hypothesis(),
        "half the allocation",
        quantity,
        OptionalDouble.of(now),
        Optional.of(new Estimate((HALF - HALF_WITHIN) * now, (HALF + HALF_WITHIN) * now)),
        "young GCs run when the young generation is full, so their number follows the allocation rate",
        List.of("the allocation that is saved is short-lived", "the heap keeps its size"));
  }

  /** Allocation itself takes time in every request, the fastest ones included. */
  @Override
  public Prediction latency(MeasuredIncident incident, OptionalDouble share) {
    boolean measured =
        UndisturbedLatency.of(incident, 1).filter(UndisturbedLatency::isMeasured).isPresent();
    return measured
        ? super.latency(incident, share)
        : new CauseRemoved(incident, this)
            .refused("how much less is allocated depends on the change");
  }

  /** How fast the application allocates, by the second and by the request. */
  // What is allocated follows from the heap's course and from samples, too.
  @Judges(
      value = Hypothesis.ALLOCATION_CHURN,
      needs = Signal.GC_PAUSES,
      standIns = {Signal.HEAP_AROUND_GC, Signal.ALLOCATION_SAMPLES})
  static final class AllocationPerRequestRule implements Rule {

    /**
     * From this allocation per request on, the request itself is worth a look. A request through a
     * common Java web stack allocates 100 to 300 KiB (measured: 260 KiB through Tomcat, HikariCP
     * and JDBC).
     */
    static final Bytes NOTABLE = Bytes.ofMebi(2);

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return incident.allocation(incident.window()).map(rate -> judge(incident, rate)).stream()
          .toList();
    }

    private Finding judge(MeasuredIncident incident, AllocationRate during) {
      Timeline timeline = incident.timeline();
      Optional<Window> baseline = incident.baseline();
      Optional<AllocationRate> before = baseline.flatMap(w -> incident.allocation(w));
      Optional<Rate> requests = RequestRate.of(timeline, incident.window());
      Optional<Bytes> perRequest = perRequest(incident, incident.window());
      // With different loads in the two windows, the mean rate of a whole run fits neither.
      String whole =
          baseline.isPresent() && !RequestRate.isKnownOverTime(timeline)
              ? " at the mean rate of the whole test"
              : "";
      Bytes perSecond = perSecond(during);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "allocation %s/s%s%s"
                      .formatted(
                          perSecond,
                          before
                              .map(b -> new Ratio(relative(b, during)).signed())
                              .map(growth -> " (" + growth + " against the baseline)")
                              .orElse(""),
                          perRequest
                              .map(bytes -> ", " + bytes + " per request" + whole)
                              .orElse("")))
              .figure(
                  "allocation rate", before.map(rate -> perSecond(rate) + "/s"), perSecond + "/s")
              .sum("allocation rate: " + during.basis())
              .value("allocationBytesPerSecond", during.bytesPerSecond())
              .from(during.source());
      perRequest.ifPresent(
          bytes -> {
            finding
                .figure("allocation per request", before(incident), bytes.toString())
                .sum(
                    "per request = " + perSecond + "/s / " + requests.get() + " = " + bytes + whole)
                .value("allocationBytesPerRequest", bytes.value())
                .from(rateSource(timeline));
          });
      StoppedTimeSplit split = StoppedTimeSplit.of(incident);
      double share = split.share(Hypothesis.ALLOCATION_CHURN);
      Optional<String> usual = before.flatMap(rate -> wandering(incident, rate, during));
      usual.ifPresentOrElse(
          words -> finding.sum(words).supports(Hypothesis.ALLOCATION_CHURN),
          () -> finding.explains(Hypothesis.ALLOCATION_CHURN, Effect.STOPPED, share));
      if (share > 0) {
        finding
            .value("stoppedPerMinuteSeconds", split.churnPerMinuteSeconds())
            .sum(
                "GC pause time that follows from it with the %s: %s per minute, %s of the increase"
                    .formatted(
                        split.room().isShort()
                            ? "headroom and pauses of the baseline"
                            : "present headroom",
                        Durations.format(split.churnPerMinuteSeconds()),
                        new Ratio(share).share()));
      }
      boolean heavy = perRequest.filter(bytes -> bytes.compareTo(NOTABLE) > 0).isPresent();
      // A quarter is above the error of a rate that is measured by the heap between collections.
      boolean steady = before.filter(b -> relative(b, during) < Policy.SAMPLES_GOOD_TO).isPresent();
      if (heavy) {
        finding.supports(Hypothesis.ALLOCATION_CHURN);
      } else if (steady) {
        finding.refutes(Hypothesis.ALLOCATION_CHURN);
      } else if (perRequest.isPresent()) {
        finding.weakens(Hypothesis.ALLOCATION_CHURN);
      }
      return finding.build();
    }

    /**
     * A sentence if the allocation rate in a GC log fluctuates all the time. Without requests the
     * window with the highest rate is then no incident, because some window always has the highest.
     * A real step keeps most of its rise, and before and after it no quarter of its length reaches
     * a quarter of that rise.
     */
    private static Optional<String> wandering(
        Incident incident, AllocationRate before, AllocationRate during) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      double usual = before.bytesPerSecond();
      double rise = during.bytesPerSecond() - usual;
      if (timeline.areRequestsMeasured()
          || timeline.profiles().allocation().source().isPresent()
          || rise <= 0) {
        return Optional.empty();
      }
      Duration quarter = window.length().dividedBy(4);
      Duration part = quarter.compareTo(Policy.SUSTAINED) < 0 ? Policy.SUSTAINED : quarter;
      double most = 0;
      double least = Double.POSITIVE_INFINITY;
      for (Instant from = timeline.span().from();
          !from.plus(part).isAfter(timeline.span().to());
          from = from.plus(part.dividedBy(2))) {
        Window time = new Window(from, from.plus(part));
        OptionalDouble rate =
            Numbers.of(AllocationRate.of(timeline, time), AllocationRate::bytesPerSecond);
        if (window.overlap(from, part).isZero()) {
          most = Math.max(most, rate.orElse(0));
        } else if (window.overlap(from, part).equals(part)) {
          least = Math.min(least, rate.orElse(least));
        }
      }
      boolean others = most - usual >= Policy.SUBSTANTIAL * rise;
      boolean kept = least - usual >= Policy.MAJORITY * rise;
      return others || !kept
          ? Optional.of(
              "it goes up and down by itself: in %s at another time up to %s/s, in the incident down to %s/s"
                  .formatted(
                      Durations.format(part), bytes(most), bytes(Math.min(least, rise + usual))))
          : Optional.empty();
    }

    private static Bytes bytes(double bytesPerSecond) {
      return Bytes.of(Math.round(bytesPerSecond));
    }

    private static Bytes perSecond(AllocationRate rate) {
      return bytes(rate.bytesPerSecond());
    }

    /** Allocation per request in the baseline; empty if its request rate is unknown. */
    private static Optional<String> before(MeasuredIncident incident) {
      return incident
          .baseline()
          .filter(any -> RequestRate.isKnownOverTime(incident.timeline()))
          .flatMap(window -> perRequest(incident, window))
          .map(Bytes::toString);
    }

    private static Optional<Bytes> perRequest(MeasuredIncident incident, Window window) {
      return incident.allocatedPerRequest(window).stream()
          .mapToObj(bytes -> Bytes.of(Math.round(bytes)))
          .findFirst();
    }

    private static double relative(AllocationRate before, AllocationRate during) {
      return new Growth(before.bytesPerSecond(), during.bytesPerSecond()).relative().orElse(1);
    }

    private static Source rateSource(Timeline timeline) {
      return timeline.operator().rate().isPresent()
          ? OperatorFacts.SOURCE
          : timeline.mainRequestStats().map(stats -> stats.source()).orElse(OperatorFacts.SOURCE);
    }
  }
}
