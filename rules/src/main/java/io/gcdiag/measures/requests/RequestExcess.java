package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.LatencyBound;
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
 * Lost time: by how much requests took longer in the incident window than normal. This is the user
 * impact.
 *
 * <p>If a load test or a scraped histogram has latencies over time, normal is the mean latency of
 * the baseline. If only figures of a whole run are known, normal is the median, or the shortest
 * latency if all requests queued ({@link LoadTestDelays#everybodyWaits}). More requests of the same
 * latency lose no time.
 *
 * <p>If there is a baseline, the figures of a whole run mix both windows and are no figures of the
 * incident. They show the lost time of the run ({@link #ofRun}). That can confirm the sum of what
 * was recorded, but is no upper bound for a part of it.
 *
 * @param seconds thread-seconds over the incident window, at least 0
 * @param perRequestSeconds the same per request of the window
 * @param inSystem requests in the system in the incident, on average (Little's law, without what of
 *     their time is after the window)
 * @param inSystemBefore the same in the baseline; 0 if it is not known
 * @param compared whether the latency of the incident was compared with that of the baseline
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
   * The lost time of an incident. Empty if its latencies are unknown, or if there is nothing to
   * compare them with. Figures of a whole run are used only if there is no baseline.
   */
  public static Optional<RequestExcess> of(Incident incident) {
    Optional<RequestExcess> overTime = overTime(incident);
    return overTime.isPresent() || incident.baseline().isPresent()
        ? overTime
        : ofWholeRun(incident);
  }

  /**
   * The lost time of a whole run, baseline and incident together. Empty if the latencies of the
   * incident itself are known.
   */
  public static Optional<RequestExcess> ofRun(Incident incident) {
    return of(incident).isPresent() ? Optional.empty() : ofWholeRun(incident);
  }

  /** The lost time by a series that covers both incident and baseline. */
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
    double inSystem = inSystem(series.get(), rate * during.totalSeconds() / during.count(), window);
    return Optional.of(
        new RequestExcess(
            Math.min(longer * rate, Math.max(0, inSystem - rate * usual)) * window.seconds(),
            longer,
            inSystem,
            perSecond(series.get(), baseline.get()) * usual,
            true,
            series.get().source()));
  }

  /**
   * Requests in the system in a window, on average: rate times latency (Little's law), or those in
   * progress where they are clearly fewer. Of a queue that grows to the end of the window a part of
   * the latency comes after it, but not of what a meter counts: those requests have ended.
   */
  public static double inSystem(RequestSeries series, double rateTimesLatency, Window window) {
    if (series.holds() == RequestSeries.Holds.SUMS) {
      return rateTimesLatency;
    }
    double inside = series.inProgress(window);
    return inside < (1 - Policy.NEGLIGIBLE) * rateTimesLatency ? inside : rateTimesLatency;
  }

  /**
   * Upper bound of the requests in the system. If fewer requests ended than arrive at the
   * baseline's rate, the missing ones may be in progress too. Infinite if nothing was compared.
   */
  public double atMostInSystem(Incident incident) {
    if (!compared) {
      return Double.POSITIVE_INFINITY;
    }
    double usual =
        incident
            .baseline()
            .flatMap(baseline -> RequestRate.of(incident, baseline))
            .map(Rate::perSecond)
            .orElse(0.0);
    double ended = RequestRate.of(incident, incident.window()).map(Rate::perSecond).orElse(0.0);
    return inSystem + Math.max(0, usual - ended) * incident.window().seconds();
  }

  /** A percentile of the latency in a window, at most; empty if it is not known over time. */
  public static Optional<Duration> latency(Incident incident, Window window, double percentile) {
    return incident
        .timeline()
        .mainRequestSeries()
        .flatMap(series -> series.within(window).latencies().percentile(percentile))
        .flatMap(LatencyBound::atMost);
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
    // With a baseline, the run's lost time is that of the incident's requests only, so it is a
    // larger delay for each of them.
    boolean whole = incident.baseline().isPresent();
    double each = whole ? inRun / inWindow : longer;
    boolean felt = LoadTestDelays.isFelt(each, Durations.seconds(needed.get()));
    double seconds = Math.max(longer * inWindow, whole && felt ? inRun : 0);
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
   * Thread-seconds that the requests of a whole run lost; empty if unknown or too small for users
   * to notice.
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
   * Upper bound of the time that the requests of the whole load test lost, in thread-seconds: every
   * latency minus the shortest one. Infinite if unknown.
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
   * Lower bound of the mean delay E[max(0, X - normal)]. It is the larger of two bounds: the mean
   * latency minus normal, and the sum over the stated percentiles, since each request above a
   * percentile took at least that long. The mean can be below the median when half of the requests
   * waited.
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

  /** Latency of an undisturbed request, as far as the load test shows it. */
  public static Optional<Duration> undisturbed(RequestStats stats) {
    return LoadTestDelays.everybodyWaits(stats)
        ? stats.shortest()
        : stats.percentile(Percentiles.MEDIAN);
  }

  /**
   * For the baseline, a part long enough to compare with is sufficient: the load may have begun
   * later.
   */
  private static boolean samples(RequestSeries series, Window baseline) {
    double all = Policy.COVERED * baseline.seconds();
    return covers(series, baseline, Math.min(all, Durations.seconds(Policy.SUSTAINED)));
  }

  private static boolean covers(RequestSeries series, Window window, double leastSeconds) {
    return TestedRequests.secondsIn(series, window) >= leastSeconds
        && window.seconds() >= Policy.FEWEST_COUNTED * Durations.seconds(series.step());
  }
}
