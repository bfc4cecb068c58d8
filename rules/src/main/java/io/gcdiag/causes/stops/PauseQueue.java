package io.gcdiag.causes.stops;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.StalledShares;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Rate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * The queue that builds up before a stopped service, as a flow: requests arrive at the measured
 * rate and are served at the highest rate that the service's use of the CPU allows, except while
 * all threads are stopped or wait for memory. What it gives is a lower bound: with fewer threads,
 * or other limits, more would wait.
 *
 * @param waitedSeconds thread-seconds of waiting in the queue over the incident window
 * @param blockedSeconds how long the service was stopped for each effect
 */
record PauseQueue(double waitedSeconds, Map<Effect, Double> blockedSeconds) {

  /** Empty if the rate of requests is not known. */
  static Optional<PauseQueue> of(Incident incident) {
    return RequestRate.of(incident.timeline(), incident.window()).map(rate -> flow(incident, rate));
  }

  private static PauseQueue flow(Incident incident, Rate rate) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    StopSteps pauses = StopSteps.ofPauses(timeline, window);
    StopSteps safepoints = StopSteps.ofSafepoints(timeline, window);
    StalledShares stalled = StalledShares.of(timeline, window, rate);
    double served = rate.perSecond() / use(incident);
    Map<Effect, Double> blocked = new EnumMap<>(Effect.class);
    Queue queue = new Queue();
    long end = WaitSeries.BUCKET.toNanos() * window.length().dividedBy(WaitSeries.BUCKET);
    // From one edge to the next, all that can change stays as it is.
    for (long at = 0; at < end; ) {
      boolean paused = pauses.isStopped(at);
      boolean stopped = safepoints.isStopped(at);
      double share = stalled.at(at);
      long until = Math.min(Math.min(end, stalled.nextEdge(at)), pauses.nextEdge(at));
      until = Math.min(until, safepoints.nextEdge(at));
      double seconds = Nanos.seconds(until - at);
      blocked.merge(Effect.STOPPED, paused ? seconds : 0, Double::sum);
      blocked.merge(Effect.SAFEPOINT, stopped ? seconds : 0, Double::sum);
      blocked.merge(Effect.ALLOCATION_STALL, share * seconds, Double::sum);
      double running = paused || stopped ? 0 : 1 - share;
      queue.pass(rate.perSecond() - served * running, seconds);
      at = until;
    }
    return new PauseQueue(queue.waited, blocked);
  }

  /** A queue that grows or shrinks evenly. */
  private static final class Queue {
    private double length;
    private double waited;

    /** Grows by this many requests per second for this long; the queue length is at least 0. */
    void pass(double change, double seconds) {
      double busy = change < 0 ? Math.min(seconds, length / -change) : seconds;
      waited += (length + change * busy / 2) * busy;
      length = Math.max(0, length + change * busy);
    }
  }

  /**
   * The share of its capacity that the service needs: at least its use of the CPU in the baseline.
   */
  private static double use(Incident incident) {
    double cpu =
        incident
            .baseline()
            .map(baseline -> MachineLoad.jvm(incident.timeline(), baseline).orElse(0))
            .orElse(0.0);
    return Math.min(1, Math.max(Policy.NOTABLE, cpu));
  }

  /**
   * Stops of one kind, one after another, to be asked about at times that rise. Times are
   * nanoseconds after the window's start.
   */
  private static final class StopSteps {

    private final int size;
    private final IntToLongFunction start;
    private final IntToLongFunction length;
    private int next;

    private StopSteps(int size, IntToLongFunction start, IntToLongFunction length) {
      this.size = size;
      this.start = start;
      this.length = length;
    }

    static StopSteps ofPauses(Timeline timeline, Window window) {
      Pauses pauses = timeline.pauses(window);
      long origin = Nanos.since1970(window.from());
      return new StopSteps(pauses.size(), i -> pauses.startNanos(i) - origin, pauses::nanos);
    }

    /** Without the collections that are done at them. */
    static StopSteps ofSafepoints(Timeline timeline, Window window) {
      List<SafepointStop> stops = timeline.safepoints(window);
      long origin = Nanos.since1970(window.from());
      return new StopSteps(
          stops.size(),
          i -> Nanos.since1970(stops.get(i).start()) - origin,
          i -> Nanos.of(stops.get(i).lost()));
    }

    /** Whether everything is stopped then. */
    boolean isStopped(long at) {
      while (next < size && Nanos.plus(start.applyAsLong(next), length.applyAsLong(next)) <= at) {
        next++;
      }
      return next < size && start.applyAsLong(next) <= at;
    }

    /** The time of the next change, provided that no other stop begins before this one ends. */
    long nextEdge(long at) {
      if (next >= size) {
        return Long.MAX_VALUE;
      }
      long from = start.applyAsLong(next);
      return from > at ? from : Nanos.plus(from, length.applyAsLong(next));
    }
  }
}
