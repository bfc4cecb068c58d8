package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * By how much requests took longer in the incident window than they need: the user impact.
 *
 * <p>Where the load test or a scraped histogram says it over time, what a request needs is its mean
 * latency in the baseline. Where only the figures of a whole run are known, it is the median, or
 * the shortest latency if all requests queued ({@link LoadTestDelays#everybodyWaits}). More
 * requests of the same latency are no excess.
 *
 * <p>Beside a baseline the figures of a whole run are a mixture of two states and no figure of the
 * incident. They say how much requests lost altogether ({@link #ofRun}), which bounds and confirms
 * what was recorded, and bounds none of its parts.
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

  /**
   * Measures an incident; absent if no latency of its own requests is known, or nothing to hold it
   * against. The figures of a whole run are those of an incident that has no baseline.
   */
  public static Optional<RequestExcess> of(Incident incident) {
    Optional<RequestExcess> overTime = overTime(incident);
    return overTime.isPresent() || incident.baseline().isPresent()
        ? overTime
        : ofWholeRun(incident);
  }

  /**
   * What the requests of a whole run lost, which baseline and incident have together; absent where
   * the latencies of the incident are known by themselves.
   */
  public static Optional<RequestExcess> ofRun(Incident incident) {
    return of(incident).isPresent() ? Optional.empty() : ofWholeRun(incident);
  }

  /** Measures it by a series that covers the incident and the baseline. */
  public static Optional<RequestExcess> overTime(Incident incident) {
    Window window = incident.window();
    Optional<Window> baseline = incident.baseline();
    Optional<RequestSeries> series =
        incident
            .timeline()
            .mainRequestSeries()
            .filter(one -> covers(one, window, Policy.COVERED * window.seconds()))
            .filter(one -> baseline.filter(before -> samples(one, before)).isPresent());
    if (series.isEmpty()) {
      return Optional.empty();
    }
    Latencies during = series.get().within(window).latencies();
    Latencies before = series.get().within(baseline.get()).latencies();
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
            perSecond(series.get(), baseline.get()) * usual,
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
    double longer = longer(stats.get(), Durations.seconds(needed.get()));
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
    double longer = longer(stats, usual);
    return LoadTestDelays.isFelt(longer, usual)
        ? Optional.of(longer * stats.requests().getAsLong())
        : Optional.empty();
  }

  /**
   * The most that the requests of the whole load test can have lost, in thread-seconds: all that
   * they took longer than the shortest one. Infinite where that is not known.
   */
  public static double mostInRun(Timeline timeline) {
    return timeline
        .mainRequestStats()
        .filter(stats -> stats.mean().isPresent() && stats.requests().isPresent())
        .map(
            stats ->
                (Durations.seconds(stats.mean().get())
                        - stats.shortest().map(Durations::seconds).orElse(0.0))
                    * stats.requests().getAsLong())
        .orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * By how much requests took longer than normal on average, E[max(0, X - normal)], at least: the
   * mean less what is normal, and each stated percentile with all requests above it, of which each
   * took at least as long. The mean can be below the median, where half of the requests waited.
   */
  private static double longer(RequestStats stats, double normal) {
    double byPercentiles = 0;
    double above = 0;
    for (Map.Entry<Double, Duration> one : stats.percentiles().entrySet()) {
      double more = Math.max(0, Durations.seconds(one.getValue()) - normal);
      byPercentiles += (more - above) * (1 - one.getKey() / Percentiles.WHOLE);
      above = more;
    }
    double byMean = stats.mean().map(mean -> Durations.seconds(mean) - normal).orElse(0.0);
    return Math.max(byMean, byPercentiles);
  }

  /** What a request of a load test takes that nothing is in the way of, as far as it tells. */
  public static Optional<Duration> undisturbed(RequestStats stats) {
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
