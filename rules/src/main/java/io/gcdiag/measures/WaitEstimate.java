package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.PinnedCarriers;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.ShortFileCalls;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * How many threads wait on average for one thing in one window, by recorded events, thread dumps
 * and meters together. Each gives an interval of the same number: events from the recorded time to
 * what their threshold can hide, dumps that of a sample ({@link DumpedWaits}).
 *
 * <ul>
 *   <li>What events record is within the dumps' interval, or beyond: it is the more exact one.
 *   <li>The dumps' interval begins above, within what the threshold can hide: the number lies where
 *       both do.
 *   <li>The intervals have nothing in common. If events show most of those waiting at the moments
 *       of the dumps, and a tenth or more on average, dumps were taken when more waited than on
 *       average, and the events count. Else the dumps show what no event does: waits that have not
 *       ended, of virtual threads. Where events show some of it all the same, the two contradict
 *       each other.
 * </ul>
 *
 * @param threads on average, without those that waited while all were stopped
 * @param stoppedSeconds thread-seconds of these
 * @param dumps what dumps show, where that counts or bounds the waiting; absent where events count
 * @param relation what dumps say by themselves beside what events do
 * @param fromMeters whether it is by the meters of a pool or a client, as nothing else shows it
 */
public record WaitEstimate(
    double threads,
    double stoppedSeconds,
    Optional<DumpedWaits> dumps,
    Relation relation,
    boolean fromMeters) {

  private static final List<Effect> MEASURED_BY_WAITS =
      Arrays.stream(Effect.values()).filter(effect -> effect.waitsFor().isPresent()).toList();

  /** How what two sources say by themselves compares. */
  public enum Relation {
    /** One of them says nothing, or so little that it agrees with anything. */
    ALONE,
    /** Their intervals overlap. */
    AGREE,
    /** They have nothing in common. */
    CONTRADICT
  }

  /** What events and dumps say together. */
  private record Combined(double threads, Optional<DumpedWaits> dumps, Relation relation) {

    /** By events alone. */
    Combined(double threads, Relation relation) {
      this(threads, Optional.empty(), relation);
    }
  }

  /**
   * Of each effect that is measured by waits.
   *
   * @param byDumps effects that may be measured by dumps where events show hardly anything
   */
  static Map<Effect, WaitEstimate> all(Incident incident, Window window, Set<Effect> byDumps) {
    Map<Effect, WaitEstimate> all = new EnumMap<>(Effect.class);
    for (Effect effect : MEASURED_BY_WAITS) {
      all.put(effect, of(incident, window, effect, byDumps.contains(effect)));
    }
    Timeline timeline = incident.timeline();
    all.computeIfPresent(Effect.POOL_WAIT, (effect, seen) -> seen.orMetered(timeline, window));
    if (CallMeters.areAlone(timeline)) {
      all.computeIfPresent(
          Effect.DOWNSTREAM_WAIT, (effect, seen) -> seen.orMeteredCalls(timeline, window));
    }
    return all;
  }

  private static WaitEstimate of(Incident incident, Window window, Effect effect, boolean byDumps) {
    Timeline timeline = incident.timeline();
    List<WaitSeries> series = UserWaits.of(timeline, effect);
    double waited =
        effect == Effect.PINNED
            ? PinnedCarriers.of(timeline, window).takenSeconds()
            : WaitSeries.seconds(series, window);
    // A downstream call in flight costs its user nothing more while the JVM is stopped, except
    // for the part of the stop in which the answer was already there; all of it counts as
    // stopped.
    double stopped = Math.min(waited, StopCost.frozenSeconds(series, timeline.pauses(window)));
    double recorded =
        (waited - stopped) / window.seconds() + sampledAlone(incident, window, effect);
    Optional<DumpedWaits> seen =
        byDumps ? DumpTimes.seen(incident, window, effect, recorded) : Optional.empty();
    Combined both =
        seen.map(waits -> of(incident, window, effect, recorded, waits))
            .orElseGet(() -> new Combined(recorded, Relation.ALONE));
    Optional<DumpedWaits> counted =
        both.dumps().filter(waits -> !isMetered(timeline, window, effect, waits));
    double threads = counted.isPresent() ? both.threads() : recorded;
    return new WaitEstimate(threads, stopped, counted, both.relation(), false);
  }

  /**
   * Whether dumps are a few moments of what the meters of all these pools add up. Waits that a
   * recording's events do not show have not ended, and are not in the meters' timers either.
   */
  private static boolean isMetered(
      Timeline timeline, Window window, Effect effect, DumpedWaits waits) {
    return effect == Effect.POOL_WAIT
        && !timeline.sees(Signal.THREAD_PARKS)
        && PoolMeters.tellAll(timeline, window, waits.bySubject().keySet());
  }

  /**
   * Borrowers on average by a pool's own meters, where no event shows them: there is no recording,
   * or it is no thread that waits, as before the pools of reactive drivers.
   */
  private WaitEstimate orMetered(Timeline timeline, Window window) {
    OptionalDouble metered =
        PoolMeters.of(timeline).map(pool -> pool.waiting(window)).orElse(OptionalDouble.empty());
    boolean more =
        metered.isPresent()
            && metered.getAsDouble() >= Policy.LASTING_QUEUE
            && threads < Policy.NOTABLE * metered.getAsDouble();
    Optional<DumpedWaits> kept = dumps.filter(DumpedWaits::counted);
    return more
        ? new WaitEstimate(metered.getAsDouble(), stoppedSeconds, kept, relation, true)
        : this;
  }

  /**
   * Requests in calls on average by the client's own timers, where no event and no dump shows them.
   * A call that is in progress while all threads are stopped counts as stopped.
   */
  private WaitEstimate orMeteredCalls(Timeline timeline, Window window) {
    double metered = CallMeters.inProgress(timeline, window);
    double stopped = metered * PauseTotals.of(timeline, window).shareStopped();
    return threads < Policy.NOTABLE * metered
        ? new WaitEstimate(
            metered - stopped, stopped * window.seconds(), Optional.empty(), relation, true)
        : this;
  }

  /** Threads in calls without events, by samples. */
  private static double sampledAlone(Incident incident, Window window, Effect effect) {
    return switch (effect) {
      case DOWNSTREAM_WAIT -> ConnectWaits.of(incident.timeline()).threads(window);
      case FILE_WAIT -> ShortFileCalls.grown(incident, window);
      default -> 0;
    };
  }

  private static Combined of(
      Incident incident, Window window, Effect effect, double recorded, DumpedWaits dumps) {
    if (recorded >= dumps.low()) {
      // What has hardly a lower end agrees with anything.
      boolean telling = dumps.low() >= Policy.NOTABLE * recorded && dumps.high() >= recorded;
      return new Combined(recorded, telling && dumps.counted() ? Relation.AGREE : Relation.ALONE);
    }
    // Events that show a queue at all tell more of one that comes and goes than a few moments do.
    if (!dumps.counted()) {
      return recorded > 0
          ? new Combined(recorded, Relation.ALONE)
          : new Combined(recorded, Optional.of(dumps), Relation.ALONE);
    }
    boolean sameOrder = recorded >= Policy.NOTABLE * dumps.threads();
    // A recording may be limited in how many calls it takes: their length counts, not their number.
    if (effect == Effect.DOWNSTREAM_WAIT && sameOrder) {
      return new Combined(recorded, Relation.ALONE);
    }
    double atMost = recorded / recordedShare(incident.timeline(), window, effect);
    if (atMost >= dumps.low()) {
      DumpedWaits both = dumps.atMost(atMost);
      return new Combined(both.threads(), Optional.of(both), Relation.AGREE);
    }
    if (sameOrder && DumpTimes.areRecordedAtOnce(incident, window, effect)) {
      return new Combined(recorded, Relation.ALONE);
    }
    boolean recordedAtAll = recorded >= Policy.LEAST_THREADS_FELT;
    return new Combined(
        dumps.threads(), Optional.of(dumps), recordedAtAll ? Relation.CONTRADICT : Relation.ALONE);
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

  /**
   * Share of the waiting that is in waits long enough to be recorded, 0 to 1, if a wait ends no
   * sooner for having lasted (exponential): then the recorded ones are longer than the threshold T
   * by the mean m of all on average, and the share is (1 + T/m) e^(-T/m).
   */
  private static double recordedShare(Timeline timeline, Window window, Effect effect) {
    WaitSeries.Totals waits = WaitSeries.totals(UserWaits.of(timeline, effect), window);
    double threshold = timeline.threshold(signal(effect)).map(Durations::seconds).orElse(0.0);
    double mean = waits.count() > 0 ? waits.waitedSeconds() / waits.count() - threshold : 0;
    double times = mean > 0 ? threshold / mean : 0;
    return (1 + times) * Math.exp(-times);
  }

  /** What records such waits. */
  private static Signal signal(Effect effect) {
    return switch (effect) {
      case LOCK_WAIT -> Signal.MONITOR_WAITS;
      case DOWNSTREAM_WAIT, CLIENT_WAIT -> Signal.SOCKET_READS;
      case FILE_WAIT -> Signal.FILE_IO;
      case SLEEP, DIRECT_MEMORY_WAIT -> Signal.THREAD_SLEEPS;
      default -> Signal.THREAD_PARKS;
    };
  }
}
