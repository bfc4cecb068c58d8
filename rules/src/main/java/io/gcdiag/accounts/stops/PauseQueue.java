package io.gcdiag.accounts.stops;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.machine.CpuLoad;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Rate;
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
record PauseQueue(double waitedSeconds, Map<Effect, Double> blockedSeconds) {

  /** No service is busy for less than a tenth of its capacity and still worth a load test. */
  private static final double LEAST_USE = 0.1;

  /** One thread that waits for memory may be alone; two are the service. */
  private static final double FEWEST_STALLED = 2;

  /** Empty if the rate of requests is not known. */
  static Optional<PauseQueue> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    return RequestRate.of(timeline, window).map(rate -> flow(incident, rate));
  }

  private static PauseQueue flow(Incident incident, Rate rate) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    StopSteps pauses = StopSteps.ofPauses(timeline, window);
    StopSteps safepoints = StopSteps.ofSafepoints(timeline, window);
    int steps = (int) (window.length().toMillis() / WaitSeries.BUCKET.toMillis());
    double[] stalled = stalled(timeline, window, rate, steps);
    double served = rate.perSecond() / use(incident);
    Map<Effect, Double> blocked = new EnumMap<>(Effect.class);
    Queue queue = new Queue();
    long step = WaitSeries.BUCKET.toNanos();
    // From one edge to the next, all that can change stays as it is.
    for (long at = 0; at < steps * step; ) {
      int bucket = (int) (at / step);
      boolean paused = pauses.isStopped(at);
      boolean stopped = safepoints.isStopped(at);
      long until =
          Math.min((bucket + 1) * step, Math.min(pauses.nextEdge(at), safepoints.nextEdge(at)));
      double seconds = Nanos.seconds(until - at);
      blocked.merge(Effect.STOPPED, paused ? seconds : 0, Double::sum);
      blocked.merge(Effect.SAFEPOINT, stopped ? seconds : 0, Double::sum);
      blocked.merge(Effect.ALLOCATION_STALL, stalled[bucket] * seconds, Double::sum);
      double running = paused || stopped ? 0 : 1 - stalled[bucket];
      queue.pass(rate.perSecond() - served * running, seconds);
      at = until;
    }
    return new PauseQueue(queue.waited, blocked);
  }

  /** A queue that grows or shrinks evenly. */
  private static final class Queue {
    private double length;
    private double waited;

    /** So many more each second than before, for so long; fewer than none do not wait. */
    void pass(double change, double seconds) {
      double busy = change < 0 ? Math.min(seconds, length / -change) : seconds;
      waited += (length + change * busy / 2) * busy;
      length = Math.max(0, length + change * busy);
    }
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
}
