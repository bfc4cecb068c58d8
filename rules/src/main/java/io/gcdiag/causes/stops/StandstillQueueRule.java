package io.gcdiag.causes.stops;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/**
 * Passes on unaccounted time of requests, up to the queue that builds up before a service stopped
 * so often or so long (see {@link PauseQueue}) minus its part in the ledger.
 */
@Judges(
    value = {
      Hypothesis.MEMORY_PRESSURE,
      Hypothesis.MEMORY_LEAK,
      Hypothesis.FINALIZER_BACKLOG,
      Hypothesis.GC_LOCKER
    },
    needs = Signal.GC_PAUSES)
final class StandstillQueueRule implements Rule {

  private static final List<Effect> SEEN =
      List.of(
          Effect.STOPPED,
          Effect.SAFEPOINT,
          Effect.ALLOCATION_STALL,
          Effect.POOL_WAIT,
          Effect.WORKER_WAIT);

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    double unrecorded = times.excessSeconds(Effect.UNACCOUNTED);
    Optional<PauseQueue> flow = unrecorded > 0 ? PauseQueue.of(incident) : Optional.empty();
    Optional<Source> source = source(incident.timeline());
    if (flow.isEmpty() || source.isEmpty()) {
      return List.of();
    }
    double seen = SEEN.stream().mapToDouble(times::excessSeconds).sum();
    double missing = flow.get().waitedSeconds() - seen;
    double part = Math.max(0, Math.min(1, missing / unrecorded));
    return part < Policy.NEGLIGIBLE
        ? List.of()
        : List.of(handOn(flow.get(), unrecorded, seen, part, source.get()));
  }

  private Finding handOn(
      PauseQueue flow, double unrecorded, double seen, double part, Source source) {
    double blocked = flow.blockedSeconds().values().stream().mapToDouble(d -> d).sum();
    String how =
        ("requests queue during stop-the-world pauses: at this rate %s of waiting in"
                + " total, of which %s is recorded")
            .formatted(Durations.format(flow.waitedSeconds()), Durations.format(seen));
    FindingBuilder finding =
        Finding.of(
                id(),
                ("the service was stopped for %s of the window; %s: %s of the lost time that"
                        + " no event covers")
                    .formatted(Durations.format(blocked), how, new Ratio(part)))
            .value("stoodStillSeconds", blocked)
            .value("queuedSeconds", flow.waitedSeconds())
            .value("unrecordedSeconds", unrecorded)
            .from(source);
    for (Map.Entry<Effect, Double> one : flow.blockedSeconds().entrySet()) {
      finding.passes(Effect.UNACCOUNTED, one.getKey(), part * one.getValue() / blocked, how);
    }
    return finding.build();
  }

  private static Optional<Source> source(Timeline timeline) {
    return timeline.waits(WaitKind.ALLOCATION_STALL).stream()
        .map(WaitSeries::source)
        .findFirst()
        .or(() -> timeline.pauses().stream().map(GcPause::source).findFirst());
  }

  /**
   * The queue before a stopped service, as a flow: requests arrive at the measured rate and are
   * served at the highest rate that the service's CPU use allows, except while all threads are
   * stopped or wait for memory. The result is a lower bound, because fewer threads or other limits
   * would make it longer.
   *
   * @param waitedSeconds thread-seconds of waiting in the queue over the incident window
   * @param blockedSeconds how long the service was stopped for each effect
   */
  record PauseQueue(double waitedSeconds, Map<Effect, Double> blockedSeconds) {

    /** Empty if the rate of requests is not known. */
    static Optional<PauseQueue> of(Incident incident) {
      return RequestRate.of(incident.timeline(), incident.window())
          .map(rate -> flow(incident, rate));
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
      // Between two edges everything is constant.
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

    /** Share of its capacity that the service needs: at least its CPU use in the baseline. */
    private static double use(Incident incident) {
      double cpu =
          incident
              .baseline()
              .map(baseline -> MachineLoad.jvm(incident.timeline(), baseline).orElse(0))
              .orElse(0.0);
      return Math.min(1, Math.max(Policy.NOTABLE, cpu));
    }

    /**
     * Stops of one kind, one after another, queried at increasing times. Times are nanoseconds
     * after the window's start.
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

      /** Safepoints without the collections done at them. */
      static StopSteps ofSafepoints(Timeline timeline, Window window) {
        List<SafepointStop> stops = timeline.safepoints(window);
        long origin = Nanos.since1970(window.from());
        return new StopSteps(
            stops.size(),
            i -> Nanos.since1970(stops.get(i).start()) - origin,
            i -> Nanos.of(stops.get(i).lost()));
      }

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

  /**
   * The share of the requests in service that wait for memory, over a window. It is constant within
   * a bucket of waits. Times are nanoseconds after the window's start.
   */
  private static final class StalledShares {

    private static final long STEP = WaitSeries.BUCKET.toNanos();

    /** The share that applies from each time on. */
    private final TreeMap<Long, Double> shares = new TreeMap<>(Map.of(0L, 0.0));

    private StalledShares() {}

    static StalledShares of(Timeline timeline, Window window, Rate rate) {
      double inService =
          timeline
              .mainRequestStats()
              .flatMap((RequestStats stats) -> stats.percentile(Percentiles.MEDIAN))
              .map(median -> rate.perSecond() * Durations.seconds(median))
              .orElse(0.0);
      StalledShares found = new StalledShares();
      WaitingThreads.at(UserWaits.of(timeline, WaitKind.ALLOCATION_STALL))
          .forEach(
              window,
              (step, waiting) -> {
                double share = Math.min(1, waiting / Math.max(Policy.FEWEST_QUEUED, inService));
                found.shares.put(step * STEP, share);
                found.shares.put((step + 1) * STEP, 0.0);
              });
      return found;
    }

    double at(long at) {
      return shares.floorEntry(at).getValue();
    }

    long nextEdge(long at) {
      Long next = shares.higherKey(at);
      return next == null ? Long.MAX_VALUE : next;
    }
  }
}
