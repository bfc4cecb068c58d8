package io.gcdiag.rules;

import io.gcdiag.evidence.CpuLoad;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.RequestRate;
import io.gcdiag.ledger.UserWaits;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The queue that builds up before a service that stands still, as a flow: requests arrive at the
 * measured rate and are served at the highest rate that the service's use of the CPU allows, except
 * while all threads are stopped or wait for memory. What it gives is a lower bound: with fewer
 * threads, or other limits, more would wait.
 *
 * @param waitedSeconds thread-seconds of waiting in the queue over the incident window
 * @param blockedSeconds how long the service stood still for each effect
 */
record Standstill(double waitedSeconds, Map<Effect, Double> blockedSeconds) {

  /** No service is busy for less than a tenth of its capacity and still worth a load test. */
  private static final double LEAST_USE = 0.1;

  /** One thread that waits for memory may be alone; two are the service. */
  private static final double FEWEST_STALLED = 2;

  /** Empty if the rate of requests is not known. */
  static Optional<Standstill> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    return RequestRate.of(timeline, window).map(rate -> flow(incident, rate));
  }

  private static Standstill flow(Incident incident, Rate rate) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    int steps = (int) (window.length().toMillis() / WaitSeries.BUCKET.toMillis());
    double step = Durations.seconds(WaitSeries.BUCKET);
    Map<Effect, double[]> blocked = new EnumMap<>(Effect.class);
    blocked.put(Effect.STOPPED, new double[steps]);
    blocked.put(Effect.SAFEPOINT, new double[steps]);
    blocked.put(Effect.ALLOCATION_STALL, stalled(timeline, window, rate, steps));
    timeline
        .pauses(window)
        .forEach(p -> add(blocked.get(Effect.STOPPED), window, p.start(), p.duration()));
    timeline
        .safepoints(window)
        .forEach(s -> add(blocked.get(Effect.SAFEPOINT), window, s.start(), s.lost()));
    double served = rate.perSecond() / use(incident);
    double queue = 0;
    double waited = 0;
    Map<Effect, Double> seconds = new EnumMap<>(Effect.class);
    for (int i = 0; i < steps; i++) {
      double standing = 0;
      for (Map.Entry<Effect, double[]> one : blocked.entrySet()) {
        standing += one.getValue()[i];
        seconds.merge(one.getKey(), one.getValue()[i] * step, Double::sum);
      }
      double running = 1 - Math.min(1, standing);
      queue = Math.max(0, queue + (rate.perSecond() - served * running) * step);
      waited += queue * step;
    }
    return new Standstill(waited, seconds);
  }

  /** The share of its capacity that the service needs: at least its use of the CPU in the calm. */
  private static double use(Incident incident) {
    double cpu =
        incident
            .windows()
            .baseline()
            .map(calm -> incident.timeline().cpu(calm))
            .flatMap(
                loads ->
                    loads.stream().mapToDouble(CpuLoad::jvm).average().stream().boxed().findFirst())
            .orElse(0.0);
    return Math.min(1, Math.max(LEAST_USE, cpu));
  }

  /** By the share of the requests in service that wait for memory. */
  private static double[] stalled(Timeline timeline, Window window, Rate rate, int steps) {
    List<WaitSeries> stalls = UserWaits.of(timeline, WaitKind.ALLOCATION_STALL);
    double inService =
        timeline
            .mainRequestStats()
            .flatMap((RequestStats stats) -> stats.percentile(50.0))
            .map(median -> rate.perSecond() * Durations.seconds(median))
            .orElse(0.0);
    double[] blocked = new double[steps];
    for (int i = 0; i < steps && !stalls.isEmpty(); i++) {
      Instant at = window.from().plus(WaitSeries.BUCKET.multipliedBy(i));
      double waiting = stalls.stream().mapToDouble(series -> series.waitingAt(at)).sum();
      blocked[i] = Math.min(1, waiting / Math.max(FEWEST_STALLED, inService));
    }
    return blocked;
  }

  private static void add(double[] blocked, Window window, Instant start, Duration length) {
    long step = WaitSeries.BUCKET.toNanos();
    long first = Duration.between(window.from(), start).toNanos() / step;
    for (int i = (int) Math.max(0, first); i < blocked.length; i++) {
      Instant from = window.from().plusNanos(i * step);
      Duration inside = new Window(from, from.plusNanos(step)).overlap(start, length);
      if (inside.isZero() && i > first) {
        return;
      }
      blocked[i] = Math.min(1, blocked[i] + (double) inside.toNanos() / step);
    }
  }
}
