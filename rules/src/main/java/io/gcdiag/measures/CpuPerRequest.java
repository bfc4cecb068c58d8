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
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * CPU time per request: CPU time of work for requests by the recording, divided by the request rate
 * by the load test. It is comparable if both are known over time. More requests of the same cost do
 * not increase it.
 *
 * @param duringSeconds CPU time per request in the incident
 * @param beforeSeconds the same in the baseline
 * @param rate requests per second in the incident, or the mean of the run if only that is known
 */
public record CpuPerRequest(double duringSeconds, double beforeSeconds, double rate) {

  /**
   * Empty without a baseline, or if the request rate or the CPU load of either window is unknown.
   */
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

  /** Growth against the baseline; negative if it shrank. */
  double moreSeconds() {
    return duringSeconds - beforeSeconds;
  }

  /** Cores that requests use in the incident, on average. */
  public double cores() {
    return rate * duringSeconds;
  }

  /** Cores that the incident's requests would use at the baseline's CPU time per request. */
  public double coresBefore() {
    return rate * beforeSeconds;
  }

  /**
   * The request rate of a window by files with rates over time, or by the rounds of the threads
   * that serve them; 0 if there are none.
   */
  private static double rate(Timeline timeline, Window window) {
    return timeline
        .mainRequestSeries()
        .filter(series -> series.span().filter(span -> covers(span, window)).isPresent())
        .flatMap(series -> series.rate(window))
        .map(Rate::perSecond)
        .orElseGet(() -> ServedRequests.uncountedPerSecond(timeline, window));
  }

  private static boolean covers(Window span, Window window) {
    return 2 * span.overlap(window.from(), window.length()).toNanos() >= window.length().toNanos();
  }

  private static double cores(Timeline timeline, Window window, CpuUse use) {
    return use.jvm() * MachineLoad.cores(timeline, window) * CoreQueue.users(timeline, window);
  }

  /**
   * CPU seconds per request, including GC; empty if CPU load, number of cores or request rate is
   * unknown.
   */
  public static OptionalDouble seconds(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    OptionalDouble share = MachineLoad.jvm(timeline, window);
    double rate = RequestRate.of(incident, window).map(known -> known.perSecond()).orElse(0.0);
    int cores = MachineLoad.cores(timeline, window);
    return share.isEmpty() || rate <= 0 || cores == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(share.getAsDouble() * cores / rate);
  }

  /**
   * CPU time per request if the only latencies are those of a whole run, which mix both windows and
   * do not show the difference. Uses the mean rate of the run. The other explanation, more requests
   * of the same cost, is ruled out only if the mean CPU time per request is many times the latency
   * of the fastest request.
   *
   * @return empty if users would not notice it, or if more requests may explain it
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

  /** Whether CPU time per request clearly grew against the baseline, as far as both are known. */
  public static boolean grew(Incident incident) {
    OptionalDouble during = seconds(incident, incident.window());
    return incident.baseline().isPresent()
        && during.isPresent()
        && during.getAsDouble()
            >= Policy.CLEARLY_MORE
                * seconds(incident, incident.baseline().get()).orElse(Double.POSITIVE_INFINITY);
  }
}
