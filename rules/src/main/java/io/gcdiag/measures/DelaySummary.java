package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.measures.RequestDelays.ObserverTail;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Optional;

/** User impact by the figures of a load test. */
public final class DelaySummary {

  /** A tail that is this many times the median is more than a normal spread of work. */
  private static final double LONG_TAIL = 20;

  private final Incident incident;
  private final Optional<RequestStats> whole;
  private final Optional<RequestStats> seen;
  private final double usualSeconds;

  public DelaySummary(Incident incident) {
    this.incident = incident;
    this.whole = incident.timeline().mainRequestStats();
    this.seen = TestedRequests.ofIncident(incident);
    this.usualSeconds =
        whole
            .flatMap(stats -> stats.percentile(Percentiles.MEDIAN))
            .or(() -> baseline(incident))
            .map(Durations::seconds)
            .orElse(0.0);
  }

  private static Optional<Duration> baseline(Incident incident) {
    return incident
        .baseline()
        .flatMap(
            baseline ->
                incident
                    .timeline()
                    .requestsOfSpan()
                    .flatMap(series -> series.within(baseline).latencies().mean()));
  }

  /** The median latency; without a load test the mean latency of the baseline; 0 if unknown. */
  public double usualSeconds() {
    return usualSeconds;
  }

  /** Whether mean and median latency are known. */
  public boolean areKnown() {
    return whole
        .filter(
            stats -> stats.mean().isPresent() && stats.percentile(Percentiles.MEDIAN).isPresent())
        .filter(stats -> stats.percentile(Percentiles.TAIL).or(stats::longest).isPresent())
        .isPresent();
  }

  /** Whether users notice a delay of the incident, also in comparison with the baseline. */
  public boolean isSlowerBy(double secondsPerRequest) {
    return LoadTestDelays.isFelt(secondsPerRequest, usualSeconds)
        || incident.baseline().isPresent()
            && LoadTestDelays.multiplies(secondsPerRequest, usualSeconds);
  }

  /** Whether requests took hardly longer on average than the fastest one. */
  public boolean byNoRequest() {
    return whole
        .filter(stats -> stats.mean().isPresent() && stats.shortest().isPresent())
        .filter(
            stats ->
                !isSlowerBy(
                    Durations.seconds(stats.mean().get())
                        - Durations.seconds(stats.shortest().get())))
        .isPresent();
  }

  /**
   * Whether not even the slowest request waited: a short pause alone delays no request noticeably.
   */
  public boolean notEvenBySlowest() {
    return byNoRequest()
        && whole
            .flatMap(RequestStats::longest)
            .filter(longest -> longest.compareTo(Policy.LEAST_TAIL) < 0)
            .isPresent();
  }

  /** Whether even the slowest requests in a hundred are faster than users notice. */
  public boolean isTailQuick() {
    return seen.flatMap(stats -> stats.percentile(Percentiles.TAIL))
        .filter(tail -> tail.compareTo(Policy.LEAST_TAIL) < 0)
        .isPresent();
  }

  /** Whether even the slowest requests are fast and differ from most by no more than work does. */
  public boolean areAllQuick() {
    return isTailQuick()
        && seen.flatMap(DelaySummary::timesMedian).filter(times -> times <= LONG_TAIL).isPresent();
  }

  /**
   * Whether the slowest in a hundred are faster than users notice, as many as GC pauses delay, and
   * no slower than the longest pause: then they do not show that the others wait.
   */
  public boolean isTailOfPauses() {
    Duration longest = incident.timeline().pauses(incident.window()).longest();
    return isTailQuick()
        && StopCost.shareDelayed(incident, incident.window()).orElse(0) >= Policy.TAIL
        && seen.flatMap(stats -> stats.percentile(Percentiles.TAIL))
            .filter(tail -> tail.compareTo(longest) <= 0)
            .isPresent();
  }

  /** Whether requests are delayed or fail for reasons that may not be in the recorded data. */
  public boolean beyond(EffectTimes times) {
    return RequestDelays.rose(incident)
        || RequestDelays.fail(incident)
        || seen.filter(
                stats ->
                    LoadTestDelays.everybodyWaits(stats)
                        || hasLongTail(stats)
                        || manyFailed(stats)
                        || lostElsewhere(
                            stats, times.totalExcessSeconds() + times.observerSeconds()))
            .isPresent();
  }

  /** Share of the requests that failed; empty unless a load test has more than a few failures. */
  public Optional<Ratio> failures() {
    return seen.filter(DelaySummary::manyFailed)
        .map(
            stats -> new Ratio(stats.failed().getAsLong() / (double) stats.requests().getAsLong()));
  }

  private static boolean manyFailed(RequestStats stats) {
    return stats.failed().isPresent()
        && stats.requests().isPresent()
        && stats.failed().getAsLong() > Policy.TOLERABLE_FAILURES * stats.requests().getAsLong();
  }

  /** Whether users notice delays of which the ledger explains only a part. */
  private boolean lostElsewhere(RequestStats stats, double ledgerSeconds) {
    Optional<Duration> median = stats.percentile(Percentiles.MEDIAN);
    if (median.isEmpty() || stats.mean().isEmpty() || stats.requests().isEmpty()) {
      return false;
    }
    double perRequest = Durations.seconds(stats.mean().get()) - Durations.seconds(median.get());
    // If half of the requests are of a slower kind, the tail is no tail.
    return !isTailQuick()
        && LoadTestDelays.isFelt(perRequest, usualSeconds)
        && ledgerSeconds < Policy.SUBSTANTIAL * perRequest * stats.requests().getAsLong();
  }

  private boolean hasLongTail(RequestStats stats) {
    return timesMedian(stats).filter(times -> times > LONG_TAIL).isPresent()
        && stats
            .percentile(Percentiles.TAIL)
            .filter(tail -> tail.compareTo(Policy.LEAST_TAIL) > 0)
            .filter(tail -> !ObserverTail.accountsFor(incident, tail))
            .isPresent();
  }

  private static Optional<Double> timesMedian(RequestStats stats) {
    return stats
        .percentile(Percentiles.TAIL)
        .flatMap(
            tail ->
                stats
                    .percentile(Percentiles.MEDIAN)
                    .map(median -> Durations.seconds(tail) / Durations.seconds(median)));
  }
}
