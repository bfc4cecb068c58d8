package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What requests compute: CPU time of the work that users wait for, by the recording, per request,
 * by the load test. It can be compared where both are known over time; more requests that each cost
 * as much as before are no more computing in this sense.
 *
 * @param duringSeconds CPU time per request in the incident
 * @param beforeSeconds the same in the baseline
 * @param rate requests per second in the incident, or on average if that is all that is known
 */
public record CpuPerRequest(double duringSeconds, double beforeSeconds, double rate) {

  /** Absent without a baseline, or if the rate or the CPU load of either window is not known. */
  public static Optional<CpuPerRequest> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<Window> baseline = incident.baseline();
    if (baseline.isEmpty()) {
      return Optional.empty();
    }
    double rate = rate(timeline, window);
    double rateBefore = rate(timeline, baseline.get());
    if (rate * window.seconds() < Policy.FEWEST_FOR_A_MEAN
        || rateBefore * baseline.get().seconds() < Policy.FEWEST_FOR_A_MEAN) {
      return Optional.empty();
    }
    Optional<CpuUse> during = CpuUse.of(timeline, window);
    Optional<CpuUse> before = CpuUse.of(timeline, baseline.get());
    return during.isEmpty() || before.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CpuPerRequest(
                cores(timeline, window, during.get()) / rate,
                cores(timeline, baseline.get(), before.get()) / rateBefore,
                rate));
  }

  /** By how much it is more than in the baseline; negative if it is less. */
  public double moreSeconds() {
    return duringSeconds - beforeSeconds;
  }

  /** Cores that requests use in the incident, on average, whatever their rate is. */
  public double cores() {
    return rate * duringSeconds;
  }

  /** The same in the baseline, at the rate of the incident. */
  public double coresBefore() {
    return rate * beforeSeconds;
  }

  /** The rate inside a window as the files say it over time; 0 if they do not. */
  private static double rate(Timeline timeline, Window window) {
    return timeline
        .mainRequestSeries()
        .filter(series -> series.span().filter(span -> covers(span, window)).isPresent())
        .flatMap(series -> series.rate(window))
        .map(Rate::perSecond)
        .orElse(0.0);
  }

  private static boolean covers(Window span, Window window) {
    return 2 * span.overlap(window.from(), window.length()).toNanos() >= window.length().toNanos();
  }

  private static double cores(Timeline timeline, Window window, CpuUse use) {
    return use.jvm() * MachineLoad.cores(timeline) * CoreQueue.users(timeline, window);
  }

  /** In seconds, the collector's included; empty if CPU load, cores or rate are not known. */
  public static OptionalDouble seconds(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    OptionalDouble share = MachineLoad.jvm(timeline, window);
    double rate = RequestRate.of(incident, window).map(known -> known.perSecond()).orElse(0.0);
    int cores = MachineLoad.cores(timeline);
    return share.isEmpty() || rate <= 0 || cores == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(share.getAsDouble() * cores / rate);
  }

  /**
   * CPU time per request where the only latencies are those of a whole run: they hold both times in
   * one, and say nothing of the difference. At the run's mean rate; the other reading, more
   * requests of the same cost, is out where one of both windows computes many times what the
   * shortest request took altogether.
   *
   * @return empty if it would not be felt, or if more requests may be all there is to it
   */
  public static Optional<CpuPerRequest> hiddenInWholeRun(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<Window> baseline = incident.baseline();
    Optional<RequestStats> run = timeline.mainRequestStats();
    Optional<CpuUse> during = CpuUse.of(timeline, window);
    Optional<CpuUse> before = baseline.flatMap(usual -> CpuUse.of(timeline, usual));
    double rate = run.flatMap(RequestStats::rate).map(Rate::perSecond).orElse(0.0);
    if (before.isEmpty()
        || during.isEmpty()
        || rate <= 0
        || RequestExcess.overTime(incident).isPresent()
        || rate * window.seconds() < Policy.FEWEST_FOR_A_MEAN) {
      return Optional.empty();
    }
    double now = cores(timeline, window, during.get());
    double usual = cores(timeline, baseline.get(), before.get());
    CpuPerRequest computing = new CpuPerRequest(now / rate, usual / rate, rate);
    double ofBoth =
        (now * window.seconds() + usual * baseline.get().seconds())
            / (window.seconds() + baseline.get().seconds())
            / rate;
    boolean felt =
        run.flatMap(stats -> stats.percentile(Percentiles.MEDIAN))
            .filter(
                median -> LoadTestDelays.isFelt(computing.moreSeconds(), Durations.seconds(median)))
            .isPresent();
    boolean slower =
        run.flatMap(RequestStats::shortest)
            .filter(shortest -> LoadTestDelays.isManyTimes(ofBoth, Durations.seconds(shortest)))
            .isPresent();
    return felt && slower ? Optional.of(computing) : Optional.empty();
  }

  /** Whether a request costs clearly more than in the baseline, as far as both are known. */
  public static boolean grew(Incident incident) {
    OptionalDouble during = seconds(incident, incident.window());
    return incident.baseline().isPresent()
        && during.isPresent()
        && during.getAsDouble()
            >= Policy.CLEARLY_MORE
                * seconds(incident, incident.baseline().get()).orElse(Double.POSITIVE_INFINITY);
  }
}
