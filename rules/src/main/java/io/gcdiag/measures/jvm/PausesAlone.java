package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.RequestModel;
import io.gcdiag.queueing.RequestSimulation;
import io.gcdiag.queueing.Stall;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Latency that the recorded pauses alone would cause, by simulation: requests arrive at the
 * measured rate, take their undisturbed time, and are delayed only by the pauses at their recorded
 * times.
 *
 * @param window the time simulated: the incident, or the whole recording if latencies are known
 *     only for the whole load test
 * @param produced simulated 99th percentile with unlimited CPUs
 * @param producedAtMost the same if the requests that a pause delayed compete for CPUs when it
 *     ends; equal to {@code produced} if their CPU time is unknown
 * @param undisturbed the 99th percentile without the pauses
 * @param touched share of the requests that a pause delays, 0 to 1
 * @param observed the 99th percentile that the load test measured
 * @param basis what the undisturbed latency is based on, for people
 */
public record PausesAlone(
    Window window,
    Duration produced,
    Duration producedAtMost,
    Duration undisturbed,
    double touched,
    Optional<Duration> observed,
    String basis) {

  public static final double TAIL = 1 - Policy.TAIL;

  /**
   * Enough requests for a stable 99th percentile, few enough to be fast. If there are more, only
   * this many are drawn: without competition, any part of them has the same distribution.
   */
  public static final double MOST_REQUESTS = 200_000;

  /** Simulates it; empty without pauses, a request rate, or latencies. */
  public static Optional<PausesAlone> of(Incident incident) {
    Optional<Duration> series = seriesTail(incident, incident.window());
    Window window = series.isPresent() ? incident.window() : incident.timeline().span();
    Optional<Rate> rate = RequestRate.of(incident.timeline(), window);
    List<GcPause> pauses = incident.timeline().pauses(window);
    if (rate.isEmpty() || pauses.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> observed =
        series.or(() -> stats(incident).flatMap(test -> test.percentile(TAIL * Percentiles.WHOLE)));
    return need(incident).map(need -> simulated(incident, rate.get(), window, need, observed));
  }

  /**
   * What a request needs. Without a measured baseline it is the latency of the fastest request,
   * because all others may have been delayed.
   */
  private static Optional<Need> need(Incident incident) {
    Optional<UndisturbedLatency> baseline = UndisturbedLatency.measured(incident);
    if (baseline.isPresent()) {
      return baseline.map(
          latency -> new Need(latency.distribution(), latency.at(TAIL), latency.basis()));
    }
    return stats(incident)
        .flatMap(test -> test.shortest().or(() -> test.percentile(Percentiles.MEDIAN)))
        .filter(fastest -> !fastest.isZero())
        .map(
            fastest ->
                new Need(
                    new HoldTime.Fixed(fastest), fastest, "every request as fast as the fastest"));
  }

  private record Need(HoldTime latency, Duration tail, String basis) {}

  private static Optional<RequestStats> stats(Incident incident) {
    return incident.timeline().mainRequestStats();
  }

  /** The pauses as input of the simulation. */
  public static List<Stall> stalls(List<GcPause> pauses, Window window) {
    return pauses.stream()
        .map(p -> new Stall(Duration.between(window.from(), p.start()), p.duration()))
        .toList();
  }

  private static PausesAlone simulated(
      Incident incident, Rate rate, Window window, Need need, Optional<Duration> observed) {
    List<Stall> stalls = stalls(incident.timeline().pauses(window), window);
    Duration length = window.length();
    double thinned = Math.min(rate.perSecond(), MOST_REQUESTS / window.seconds());
    RequestSimulation.Run free =
        run(
            new Rate(thinned),
            OptionalInt.empty(),
            RequestModel.NOTHING,
            need.latency(),
            length,
            stalls);
    RequestSimulation.Run full =
        cpuPerRequest(incident)
            .filter(cpu -> thinned == rate.perSecond())
            .map(
                cpu ->
                    run(
                        rate,
                        incident.timeline().jvm().cpus(),
                        cpu,
                        need.latency(),
                        length,
                        stalls))
            .orElse(free);
    Duration produced = free.responses().quantile(TAIL);
    Duration most = full.responses().quantile(TAIL);
    int count = full.excesses().count();
    return new PausesAlone(
        window,
        produced,
        most.compareTo(produced) > 0 ? most : produced,
        need.tail(),
        count == 0
            ? 0
            : (double) full.excesses().observedAbove(LoadTestDelays.LEAST_MULTIPLIED).count()
                / count,
        observed,
        need.basis());
  }

  /** One simulation run; the rest of a request's time follows after the station. */
  public static RequestSimulation.Run run(
      Rate rate,
      OptionalInt servers,
      HoldTime service,
      HoldTime rest,
      Duration horizon,
      List<Stall> stalls) {
    return RequestSimulation.run(
        new RequestModel(rate.perSecond(), servers, service, rest, horizon, stalls),
        RequestSimulation.SEED);
  }

  /**
   * CPU time of a request, from the baseline, where nothing queues. Exponentially distributed, like
   * work of mixed sizes. It is an upper bound, because the JVM's own threads are included. Empty if
   * unknown, or if the cores could not serve the incident's rate with it.
   */
  public static Optional<HoldTime> cpuPerRequest(Incident incident) {
    Timeline timeline = incident.timeline();
    int cpus = timeline.jvm().cpus().orElse(0);
    Optional<Window> baseline = incident.baseline();
    Optional<Rate> during = RequestRate.of(timeline, incident.window());
    if (cpus == 0 || baseline.isEmpty() || during.isEmpty()) {
      return Optional.empty();
    }
    Optional<Rate> rate = RequestRate.of(incident, baseline.get());
    double busy = MachineLoad.cores(timeline) * MachineLoad.jvm(timeline, baseline.get()).orElse(0);
    if (rate.isEmpty() || busy <= 0) {
      return Optional.empty();
    }
    Duration each = Durations.ofSeconds(busy / rate.get().perSecond());
    boolean keepsUp = during.get().perSecond() * Durations.seconds(each) < cpus;
    return keepsUp
            && !each.isZero()
            && RequestModel.canRun(during.get().perSecond(), cpus, each, incident.window().length())
        ? Optional.of(new HoldTime.Exponential(each))
        : Optional.empty();
  }

  private static Optional<Duration> seriesTail(Incident incident, Window window) {
    return incident
        .timeline()
        .mainRequestSeries()
        .map(series -> series.within(window).latencies())
        .flatMap(latencies -> latencies.percentile(TAIL * Percentiles.WHOLE))
        .flatMap(LatencyBound::value);
  }

  /**
   * Share of the observed tail, beyond the undisturbed one, that the pauses cause with unlimited
   * CPUs, 0 to 1; empty if the observed tail is no longer.
   */
  public Optional<Double> explained() {
    return share(produced);
  }

  /** The same if requests compete for CPUs after a pause. */
  public Optional<Double> explainedAtMost() {
    return share(producedAtMost);
  }

  private Optional<Double> share(Duration made) {
    return observed
        .filter(seen -> seen.compareTo(undisturbed) > 0)
        .map(seen -> Math.max(0, Math.min(1, above(made) / above(seen))));
  }

  private double above(Duration latency) {
    return Durations.seconds(latency) - Durations.seconds(undisturbed);
  }
}
