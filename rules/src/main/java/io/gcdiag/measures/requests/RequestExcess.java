package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.requests.Latencies;
import io.gcdiag.evidence.requests.RequestSeries;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Optional;

/**
 * By how much requests took longer in the incident window than they need: the user impact.
 *
 * <p>Where the load test or a scraped histogram says it over time, what a request needs is its mean
 * latency in the baseline. Where only the figures of a whole run are known, it is the median, or
 * the shortest latency if all requests queued ({@link LoadTestDelays#everybodyWaits}); all that is
 * lost beyond it is taken to have been lost in the incident. More requests of the same latency are
 * no excess.
 *
 * @param seconds thread-seconds over the incident window, at least 0
 * @param perRequestSeconds the same per request of the window
 * @param inSystem requests in the system at a time in the incident, on average (Little's law)
 * @param inSystemBefore the same in the baseline; 0 if it is not known
 * @param compared whether the latency of the incident was held against that of the baseline
 * @param source where the latencies were read
 */
public record RequestExcess(
    double seconds,
    double perRequestSeconds,
    double inSystem,
    double inSystemBefore,
    boolean compared,
    Source source) {

  /** Measures an incident; absent if no latency is known, or nothing to hold it against. */
  public static Optional<RequestExcess> of(Incident incident) {
    return overTime(incident).or(() -> ofWholeRun(incident));
  }

  /** Measures it by a series that covers the incident and the baseline. */
  public static Optional<RequestExcess> overTime(Incident incident) {
    Window window = incident.window();
    Optional<Window> calm = incident.baseline();
    Optional<RequestSeries> series =
        incident
            .timeline()
            .mainRequestSeries()
            .filter(one -> covers(one, window, Policy.COVERED * window.seconds()))
            .filter(one -> calm.filter(before -> samples(one, before)).isPresent());
    if (series.isEmpty()) {
      return Optional.empty();
    }
    Latencies during = series.get().within(window).latencies();
    Latencies before = series.get().within(calm.get()).latencies();
    if (during.count() == 0 || before.count() == 0) {
      return Optional.empty();
    }
    double usual = before.totalSeconds() / before.count();
    double longer = Math.max(0, during.totalSeconds() / during.count() - usual);
    double rate = perSecond(series.get(), window);
    return Optional.of(
        new RequestExcess(
            longer * rate * window.seconds(),
            longer,
            rate * during.totalSeconds() / during.count(),
            perSecond(series.get(), calm.get()) * usual,
            true,
            series.get().source()));
  }

  private static double perSecond(RequestSeries series, Window window) {
    return series.rate(window).map(Rate::perSecond).orElse(0.0);
  }

  private static Optional<RequestExcess> ofWholeRun(Incident incident) {
    Window window = incident.window();
    Optional<RequestStats> stats = TestedRequests.of(incident);
    Optional<Rate> rate = RequestRate.of(incident.timeline(), window);
    Optional<Duration> needed = stats.flatMap(RequestExcess::undisturbed);
    Optional<Duration> mean = stats.flatMap(RequestStats::mean);
    if (rate.isEmpty() || needed.isEmpty() || mean.isEmpty()) {
      return Optional.empty();
    }
    double longer = Math.max(0, Durations.seconds(mean.get()) - Durations.seconds(needed.get()));
    double inWindow = rate.get().perSecond() * window.seconds();
    double inRun = longer * stats.get().requests().orElse(0);
    // Beside a baseline, what is little per request of the run was a lot for those of the incident.
    double each = incident.baseline().isPresent() ? inRun / inWindow : longer;
    boolean felt = LoadTestDelays.isFelt(each, Durations.seconds(needed.get()));
    double seconds = Math.max(longer * inWindow, felt ? inRun : 0);
    return Optional.of(
        new RequestExcess(
            seconds,
            seconds / inWindow,
            (seconds + Durations.seconds(needed.get()) * inWindow) / window.seconds(),
            0,
            false,
            stats.get().source()));
  }

  /**
   * Thread-seconds that a whole run's requests lost beyond what they need; absent if it is not
   * known, or not felt.
   */
  public static Optional<Double> lostInRun(RequestStats stats) {
    Optional<Duration> needed = undisturbed(stats);
    if (needed.isEmpty() || stats.mean().isEmpty() || stats.requests().isEmpty()) {
      return Optional.empty();
    }
    double usual = Durations.seconds(needed.get());
    double longer = Durations.seconds(stats.mean().get()) - usual;
    return LoadTestDelays.isFelt(longer, usual)
        ? Optional.of(longer * stats.requests().getAsLong())
        : Optional.empty();
  }

  /** What a request takes that nothing is in the way of. */
  private static Optional<Duration> undisturbed(RequestStats stats) {
    return LoadTestDelays.everybodyWaits(stats)
        ? stats.shortest()
        : stats.percentile(Percentiles.MEDIAN);
  }

  /** Of a baseline a part is enough that is long enough to compare with: the load began later. */
  private static boolean samples(RequestSeries series, Window baseline) {
    double all = Policy.COVERED * baseline.seconds();
    return covers(series, baseline, Math.min(all, Durations.seconds(Policy.SUSTAINED)));
  }

  private static boolean covers(RequestSeries series, Window window, double leastSeconds) {
    return TestedRequests.secondsIn(series, window) >= leastSeconds
        && window.seconds() >= Policy.FEWEST_COUNTED * Durations.seconds(series.step());
  }
}
