package io.gcdiag.measures.effects;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.pauses.Pauses;
import io.gcdiag.evidence.pauses.SafepointStop;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.calls.ConnectWaits;
import io.gcdiag.measures.calls.ShortFileCalls;
import io.gcdiag.measures.pool.PoolMeters;
import io.gcdiag.measures.stops.ObserverCost;
import io.gcdiag.measures.stops.StopCost;
import io.gcdiag.measures.stops.Throttling;
import io.gcdiag.measures.waits.DumpedWaits;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.measures.waits.WaitEstimate;
import io.gcdiag.measures.waits.WaitEstimate.Relation;
import io.gcdiag.measures.workers.PinnedCarriers;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where the time of requests went in one window, by what was recorded of it.
 *
 * @param threads how many threads were in each state on average
 * @param fromDumps waiting that thread dumps show and events do not, counted among the threads
 * @param afterStops the same where dumps were taken after stops: it bounds the waiting, and none of
 *     it is counted
 * @param relations what events and dumps, each by itself, show of an effect beside the other
 * @param fromMeters whether the waiting for connections is by a pool's own meters, as nothing else
 *     shows it
 */
record WindowTimes(
    Map<Effect, Double> threads,
    Map<Effect, DumpedWaits> fromDumps,
    Map<Effect, DumpedWaits> afterStops,
    Map<Effect, Relation> relations,
    boolean fromMeters) {

  private static final List<Effect> MEASURED_BY_WAITS =
      Arrays.stream(Effect.values()).filter(effect -> effect.waitsFor().isPresent()).toList();

  static WindowTimes ofIncident(Incident incident) {
    return of(incident, incident.window(), EnumSet.allOf(Effect.class));
  }

  /**
   * Measures a baseline.
   *
   * @param byDumps effects that may be measured by dumps where events show hardly anything
   */
  static WindowTimes ofCalm(Incident incident, Window calm, Set<Effect> byDumps) {
    return of(incident, calm, byDumps);
  }

  private static WindowTimes of(Incident incident, Window window, Set<Effect> byDumps) {
    Timeline timeline = incident.timeline();
    Map<Effect, Double> threads = new EnumMap<>(Effect.class);
    Map<Effect, DumpedWaits> fromDumps = new EnumMap<>(Effect.class);
    Map<Effect, DumpedWaits> afterStops = new EnumMap<>(Effect.class);
    Map<Effect, Relation> relations = new EnumMap<>(Effect.class);
    Pauses pauses = timeline.pauses(window);
    double frozen = 0;
    for (Effect effect : MEASURED_BY_WAITS) {
      List<WaitSeries> series = UserWaits.of(timeline, effect);
      double waited =
          effect == Effect.PINNED
              ? PinnedCarriers.of(timeline, window).takenSeconds()
              : WaitSeries.seconds(series, window);
      double stopped = Math.min(waited, StopCost.frozenSeconds(series, pauses));
      // A downstream call in flight costs its user nothing more while the JVM is stopped, except
      // for the part of the stop in which the answer was already there; all of it counts as
      // stopped.
      frozen += stopped;
      double recorded =
          (waited - stopped) / window.seconds() + sampledAlone(incident, window, effect);
      WaitEstimate all =
          WaitEstimate.of(incident, window, effect, recorded, byDumps.contains(effect));
      Optional<DumpedWaits> seen =
          all.dumps().filter(waits -> !isMetered(timeline, window, effect, waits));
      seen.ifPresent(waits -> (waits.counted() ? fromDumps : afterStops).put(effect, waits));
      threads.put(effect, seen.isPresent() ? all.threads() : recorded);
      relations.put(effect, all.relation());
    }
    OptionalDouble metered = metered(timeline, window, threads.get(Effect.POOL_WAIT));
    metered.ifPresent(
        waiting -> {
          threads.put(Effect.POOL_WAIT, waiting);
          afterStops.remove(Effect.POOL_WAIT);
        });
    stops(timeline, window, frozen, threads);
    return new WindowTimes(threads, fromDumps, afterStops, relations, metered.isPresent());
  }

  /**
   * Whether dumps are a few moments of what the meters of all these pools add up. Waits that a
   * recording's events do not show have not ended, and are not in the meters' timers either.
   */
  private static boolean isMetered(
      Timeline timeline, Window window, Effect effect, DumpedWaits waits) {
    return effect == Effect.POOL_WAIT
        && !timeline.coverage().of(Signal.THREAD_PARKS).recorded()
        && PoolMeters.tellAll(timeline, window, waits.bySubject().keySet());
  }

  /**
   * Borrowers on average by a pool's own meters, where no event shows them: there is no recording,
   * or it is no thread that waits, as before the pools of reactive drivers.
   */
  private static OptionalDouble metered(Timeline timeline, Window window, double seen) {
    return PoolMeters.of(timeline)
        .map(pool -> pool.waiting(window))
        .orElse(OptionalDouble.empty())
        .stream()
        .filter(waiting -> waiting >= Policy.LASTING_QUEUE && seen < Policy.NOTABLE * waiting)
        .findFirst();
  }

  /** Threads in calls of which no event shows, by samples. */
  private static double sampledAlone(Incident incident, Window window, Effect effect) {
    return switch (effect) {
      case DOWNSTREAM_WAIT -> ConnectWaits.of(incident.timeline()).threads(window);
      case FILE_WAIT -> ShortFileCalls.grown(incident, window);
      default -> 0;
    };
  }

  /** Stops of all threads, and waiting for CPU. */
  private static void stops(
      Timeline timeline, Window window, double frozen, Map<Effect, Double> threads) {
    ObserverCost observation = ObserverCost.of(timeline);
    List<SafepointStop> stalls = timeline.safepoints(window);
    List<Duration> throttled =
        Throttling.of(timeline, window).map(t -> t.stops(timeline)).orElse(List.of());
    double keptOut = StopCost.keptOutByPauses(timeline, window);
    threads.put(Effect.STOPPED, (frozen + keptOut) / window.seconds());
    threads.put(
        Effect.SAFEPOINT,
        StopCost.keptOutSeconds(
                timeline,
                stalls.size(),
                i -> Durations.seconds(observation.lost(stalls.get(i))),
                window)
            / window.seconds());
    threads.put(
        Effect.THROTTLED, StopCost.keptOutSeconds(timeline, throttled, window) / window.seconds());
    threads.put(Effect.CPU_QUEUE, CoreQueue.inDumps(timeline, window));
  }

  /** What was waited for in a window, and by how many threads on average, by recorded events. */
  static Map<String, Double> sites(Timeline timeline, Effect effect, Window window) {
    Map<String, Double> sites = new TreeMap<>();
    for (WaitSeries series : UserWaits.of(timeline, effect)) {
      double threads = series.within(window).waitedSeconds() / window.seconds();
      if (threads > 0) {
        sites.merge(series.site().label(), threads, Double::sum);
      }
    }
    if (effect == Effect.DOWNSTREAM_WAIT) {
      sites.putAll(ConnectWaits.of(timeline).sites(window));
    }
    return sites;
  }

  /** Places where request threads wait for something of their own. */
  static Map<String, Double> ownWaits(Timeline timeline, Window window) {
    Map<String, Double> places = new TreeMap<>();
    for (WaitSeries series : timeline.waits(WaitKind.OTHER)) {
      double threads = series.within(window).waitedSeconds() / window.seconds();
      if (series.site().onRequestThread() && threads > 0) {
        places.merge("waiting in " + series.site().stack(), threads, Double::sum);
      }
    }
    return places;
  }
}
