package io.gcdiag.books;

import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.UndisturbedLatency;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Predicts the latency without a cause, independent of how it is removed, from the baseline. */
public record CauseRemoved(MeasuredIncident incident, Cause cause) {

  private static final List<String> ASSUMPTIONS =
      List.of("the load is that of the incident", "there is no other cause");

  /**
   * If the cause explains less than this share, too much lost time remains for the baseline's
   * latency.
   */
  private static final double MOST = 0.75;

  /**
   * With this many times the requests, a queue at 50 % utilisation reaches 75 %, and negligible
   * waits become as long as the service time.
   */
  private static final double FAR_MORE_ASKED = 1.5;

  /**
   * Factors by which the 99th percentile without the cause differs from the baseline's, in addition
   * to its uncertainty ({@code docs/predictions.md}). The latency is more often above the baseline
   * than below, because what came with the cause, such as more work per request, remains.
   */
  public static final double LESS_IN_ANOTHER_RUN = 0.75;

  private static final double MORE_IN_ANOTHER_RUN = 1.67;

  /** The work of such a cause goes with it. */
  private static final Set<Trait> OF_WORK =
      EnumSet.of(
          Trait.BY_PAUSES,
          Trait.SEEN_IN_ALLOCATION,
          Trait.SEEN_IN_CPU,
          Trait.SEEN_IN_CPU_UNLESS_WAITING);

  public static String change(Cause cause) {
    return cause.hypothesis().id() + " removed";
  }

  /**
   * Latency without a cause that may not be the only one.
   *
   * @param share share of the lost time that it explains, if known
   */
  Prediction latency(OptionalDouble share) {
    return share.isPresent() && share.getAsDouble() < MOST
        ? refused("it explains only " + new Ratio(share.getAsDouble()) + " of the lost time")
        : latency();
  }

  /** Latency without a cause that is the only one. */
  public Prediction latency() {
    boolean byPauses = cause.is(Trait.BY_PAUSES);
    double touched = byPauses ? incident.pausesAlone().map(PausesAlone::touched).orElse(1.0) : 1;
    Optional<UndisturbedLatency> latency = UndisturbedLatency.of(incident, touched);
    if (latency.isEmpty()) {
      return refused(Latency.notKnown(incident));
    }
    if (!byPauses && !latency.get().isMeasured()) {
      return refused(Latency.notSeparated(incident));
    }
    if (latency.get().isMeasured() && RequestRate.busier(incident) >= FAR_MORE_ASKED) {
      return refused("the baseline had far fewer requests than the incident");
    }
    Prediction asBefore =
        Latency.prediction(
            incident,
            cause.hypothesis(),
            change(cause),
            Latency.now(incident),
            Estimate.of(
                latency.get().atLeast(PausesAlone.TAIL).toNanos(),
                latency.get().atMost(PausesAlone.TAIL).toNanos()),
            latency.get().basis(),
            ASSUMPTIONS);
    double calls = newCalls();
    Optional<Estimate> range =
        asBefore
            .range()
            .map(CauseRemoved::inAnotherRun)
            .map(one -> new Estimate(one.low(), one.likely(), one.high() + calls));
    double more = moreWork();
    if (more == 1 || range.isEmpty()) {
      return asBefore.withRange(range);
    }
    Estimate changed =
        new Estimate(range.get().low(), range.get().likely(), more * range.get().high());
    return changed.high() < asBefore.now().orElse(Double.POSITIVE_INFINITY)
        ? asBefore.withRange(Optional.of(changed))
        : refused(
            "the requests themselves changed: each uses %s times the CPU time of the baseline's"
                .formatted(Numbers.threeDigits(more)));
  }

  /** What one run differs from another by, beyond the spread within it. */
  private static Estimate inAnotherRun(Estimate range) {
    return new Estimate(
        LESS_IN_ANOTHER_RUN * range.low(), range.likely(), MORE_IN_ANOTHER_RUN * range.high());
  }

  /**
   * So many times as much as the baseline's requests those of the incident compute, at most, if
   * they allocate more as well and the cause is none that computes or allocates: then they are
   * other requests, or have other work, and the fix leaves that.
   */
  private double moreWork() {
    Optional<CpuPerRequest> computing =
        CpuPerRequest.of(incident).filter(each -> each.beforeSeconds() > 0);
    if (computing.isEmpty() || OF_WORK.stream().anyMatch(cause::is)) {
      return 1;
    }
    double cpu = computing.get().duringSeconds() / computing.get().beforeSeconds();
    double allocated =
        incident.allocatedPerRequest(incident.window()).orElse(0)
            / incident.allocatedPerRequest(incident.baseline().orElseThrow()).orElse(Double.NaN);
    return Math.min(cpu, allocated) >= Policy.CLEARLY_MORE ? cpu : 1;
  }

  /**
   * Time in nanoseconds that a request of the incident spends in calls which the baseline has none
   * of: a fix may leave them or take them away with the cause.
   */
  private double newCalls() {
    double requests =
        RequestRate.of(incident, incident.window()).map(Rate::perSecond).orElse(Double.NaN);
    double threads =
        incident.stations().stream()
            .filter(station -> station.effect().equals(Optional.of(Effect.DOWNSTREAM_WAIT)))
            .filter(station -> station.number() == Station.Moved.NEW)
            .mapToDouble(station -> station.during().inIt())
            .sum();
    return cause.hypothesis() == Hypothesis.SLOW_DOWNSTREAM || Double.isNaN(requests)
        ? 0
        : Durations.ofSeconds(threads / requests).toNanos();
  }

  /** A prediction without a range, and the reason. */
  public Prediction refused(String why) {
    return of(Quantity.LATENCY_P99, Latency.now(incident), Optional.empty(), why);
  }

  /** A prediction of another figure. */
  public Prediction of(
      Quantity quantity, OptionalDouble now, Optional<Estimate> range, String basis) {
    return new Prediction(
        cause.hypothesis(), change(cause), quantity, now, range, basis, ASSUMPTIONS);
  }
}
