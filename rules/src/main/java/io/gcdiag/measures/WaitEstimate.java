package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.ObserverCost;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.threads.CallGrowth;
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
 * How many threads wait for one thing in one window, on average, by recorded events, thread dumps
 * and metrics together. Each source gives an interval of the same number: events from the recorded
 * time up to what their threshold can hide, dumps a sampling interval ({@link DumpedWaits}).
 *
 * <ul>
 *   <li>The recorded number is within the dumps' interval or above it: the recorded number is used,
 *       because it is more exact.
 *   <li>The dumps' interval begins above it but within what the threshold can hide: the number is
 *       in the intersection.
 *   <li>The intervals are disjoint. If events show most of those waiting at the times of the dumps,
 *       and at least a tenth on average, the dumps were taken when more threads waited than on
 *       average, and events are used. Otherwise the dumps show waits without events: waits that
 *       have not ended, or waits of virtual threads. If events show some of these waits all the
 *       same, the sources contradict each other.
 * </ul>
 *
 * @param threads on average, without those that waited while all threads were stopped
 * @param pausedSeconds thread-seconds of waits during GC pauses
 * @param stalledSeconds the same during non-GC safepoints
 * @param observedSeconds the same while the JVM was stopped to be observed
 * @param dumps what dumps show, if they are used or are an upper bound; empty if events are used
 * @param relation how the dumps' own figure compares with that of events
 * @param fromMeters whether it is from the metrics of a pool or a client, because nothing else
 *     shows it
 */
public record WaitEstimate(
    double threads,
    double pausedSeconds,
    double stalledSeconds,
    double observedSeconds,
    Optional<DumpedWaits> dumps,
    Relation relation,
    boolean fromMeters) {

  private static final List<Effect> MEASURED_BY_WAITS =
      Arrays.stream(Effect.values()).filter(effect -> effect.waitsFor().isPresent()).toList();

  /** How the figures of two sources compare. */
  public enum Relation {
    /** One of them has no figure, or one so vague that it agrees with anything. */
    ALONE,
    /** Their intervals overlap. */
    AGREE,
    /** Their intervals are disjoint. */
    CONTRADICT
  }

  /** Events and dumps combined. */
  private record Combined(double threads, Optional<DumpedWaits> dumps, Relation relation) {

    /** By events alone. */
    Combined(double threads, Relation relation) {
      this(threads, Optional.empty(), relation);
    }
  }

  /**
   * For each effect that is measured by waits.
   *
   * @param byDumps effects that may be measured by dumps if events show hardly anything
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
    // A pause during a downstream call delays the request only by the part of the pause in which
    // the response had already arrived. All of it counts as stopped.
    List<SafepointStop> stops = timeline.safepoints(window);
    double paused = StopCost.frozenSeconds(series, timeline.pauses(window));
    double stalled = StopCost.frozenBySafepoints(series, stops, ObserverCost.of(timeline)::lost);
    double observed = StopCost.frozenBySafepoints(series, stops, SafepointStop::lost) - stalled;
    double stopped = paused + stalled + observed;
    double part = stopped > waited ? waited / stopped : 1;
    double recorded =
        (waited - part * stopped) / window.seconds() + sampledAlone(incident, window, effect);
    Optional<DumpedWaits> seen =
        byDumps ? DumpTimes.seen(incident, window, effect, recorded) : Optional.empty();
    Combined both =
        seen.map(waits -> of(incident, window, effect, recorded, waits))
            .orElseGet(() -> new Combined(recorded, Relation.ALONE));
    Optional<DumpedWaits> counted =
        both.dumps().filter(waits -> !isMetered(timeline, window, effect, waits));
    double threads = counted.isPresent() ? both.threads() : recorded;
    return new WaitEstimate(
        threads, part * paused, part * stalled, part * observed, counted, both.relation(), false);
  }

  /**
   * Whether the pool's metrics, which add up all waits, are better than a few moments in dumps.
   * This is not so if a recording exists whose events lack these waits: the waits have not ended
   * and are not in the metrics' timers either.
   */
  private static boolean isMetered(
      Timeline timeline, Window window, Effect effect, DumpedWaits waits) {
    return effect == Effect.POOL_WAIT
        && !timeline.sees(Signal.THREAD_PARKS)
        && PoolMeters.tellAll(timeline, window, waits.bySubject().keySet());
  }

  /**
   * Waiting threads on average by a pool's own metrics, if no event shows them: there is no
   * recording, or no thread waits, as with pools of reactive drivers.
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
        ? new WaitEstimate(
            metered.getAsDouble(),
            pausedSeconds,
            stalledSeconds,
            observedSeconds,
            kept,
            relation,
            true)
        : this;
  }

  /**
   * Requests in calls on average by the client's own timers, if no event shows them, and dumps show
   * none or as many: a few moments say less than all calls that ended, unless some do not end. A
   * call in progress during a pause counts as stopped.
   */
  private WaitEstimate orMeteredCalls(Timeline timeline, Window window) {
    double metered = CallMeters.inProgress(timeline, window);
    double paused = metered * PauseTotals.of(timeline, window).shareStopped();
    boolean agree = dumps.filter(seen -> metered >= seen.range().low()).isPresent();
    return agree || threads < Policy.NOTABLE * metered
        ? new WaitEstimate(
            metered - paused, paused * window.seconds(), 0, 0, Optional.empty(), relation, true)
        : this;
  }

  /** Threads in calls without events, by samples. */
  private static double sampledAlone(Incident incident, Window window, Effect effect) {
    return switch (effect) {
      case DOWNSTREAM_WAIT ->
          ConnectWaits.of(incident.timeline()).threads(window)
              + CallGrowth.hidden(incident, window);
      case FILE_WAIT -> ShortFileCalls.grown(incident, window);
      default -> 0;
    };
  }

  private static Combined of(
      Incident incident, Window window, Effect effect, double recorded, DumpedWaits dumps) {
    if (recorded >= dumps.range().low()) {
      // An interval that begins near zero agrees with anything; the same moments can be compared.
      boolean telling =
          dumps.range().low() >= Policy.NOTABLE * recorded && dumps.range().high() >= recorded
              || DumpTimes.areRecordedAtOnce(incident, window, effect);
      return new Combined(recorded, telling && dumps.counted() ? Relation.AGREE : Relation.ALONE);
    }
    // If events show any queue, they describe one that comes and goes better than a few moments do.
    if (!dumps.counted()) {
      return recorded > 0
          ? new Combined(recorded, Relation.ALONE)
          : new Combined(recorded, Optional.of(dumps), Relation.ALONE);
    }
    boolean sameOrder = recorded >= Policy.NOTABLE * dumps.threads();
    // The recording may be throttled: the length of its calls is right, but not their number.
    if (effect == Effect.DOWNSTREAM_WAIT && sameOrder) {
      return new Combined(recorded, Relation.ALONE);
    }
    double atMost = recorded / recordedShare(incident.timeline(), window, effect);
    if (atMost >= dumps.range().low()) {
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

  /** What threads waited for in a window, and how many on average, by recorded events. */
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
   * Share of the waiting time in waits long enough to be recorded, 0 to 1, for exponentially
   * distributed waits of mean m. Recorded waits are then longer than the threshold T by m on
   * average, and the share is (1 + T/m) e^(-T/m).
   */
  private static double recordedShare(Timeline timeline, Window window, Effect effect) {
    WaitSeries.Totals waits = WaitSeries.totals(UserWaits.of(timeline, effect), window);
    double threshold =
        timeline
            .threshold(signal(effect.waitsFor().orElseThrow()))
            .map(Durations::seconds)
            .orElse(0.0);
    double mean = waits.count() > 0 ? waits.waitedSeconds() / waits.count() - threshold : 0;
    double times = mean > 0 ? threshold / mean : 0;
    return (1 + times) * Math.exp(-times);
  }

  /** The events that record waits of a kind. */
  public static Signal signal(WaitKind kind) {
    return switch (kind) {
      case LOCK -> Signal.MONITOR_WAITS;
      case DOWNSTREAM, CLIENT -> Signal.SOCKET_READS;
      case FILE -> Signal.FILE_IO;
      case SLEEP, DIRECT_MEMORY -> Signal.THREAD_SLEEPS;
      default -> Signal.THREAD_PARKS;
    };
  }
}
