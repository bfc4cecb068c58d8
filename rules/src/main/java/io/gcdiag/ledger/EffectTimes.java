package io.gcdiag.ledger;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadSnapshot;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Where the time of users' work went, before and during the incident: thread-seconds per second,
 * that is, how many threads were in that state on average. The raw material of the ledger.
 */
public final class EffectTimes {

  /** Below this share of time left the estimate of work in service has no meaning any more. */
  private static final double LEAST_RUNNING = 0.01;

  /** Effects that are measured by the waits of one kind. */
  private static final Map<Effect, WaitKind> WAITS =
      new EnumMap<>(
          Map.of(
              Effect.POOL_WAIT, WaitKind.POOL,
              Effect.LOCK_WAIT, WaitKind.LOCK,
              Effect.DOWNSTREAM_WAIT, WaitKind.DOWNSTREAM,
              Effect.FILE_WAIT, WaitKind.FILE,
              Effect.SLEEP, WaitKind.SLEEP,
              Effect.PINNED, WaitKind.PINNED,
              Effect.ALLOCATION_STALL, WaitKind.ALLOCATION_STALL));

  private final Incident incident;
  private final Map<Effect, Double> during = new EnumMap<>(Effect.class);
  private final Map<Effect, Double> before = new EnumMap<>(Effect.class);

  private EffectTimes(Incident incident) {
    this.incident = incident;
  }

  /** Measures an incident. */
  public static EffectTimes of(Incident incident) {
    EffectTimes times = new EffectTimes(incident);
    times.measure(incident.windows().incident(), times.during);
    incident.windows().baseline().ifPresent(calm -> times.measureCalm(calm));
    return times;
  }

  /** Threads on average in the incident window. */
  public double during(Effect effect) {
    return during.getOrDefault(effect, 0.0);
  }

  /** Threads on average in the baseline window; empty without one. */
  public OptionalDouble before(Effect effect) {
    return incident.windows().baseline().isPresent()
        ? OptionalDouble.of(before.getOrDefault(effect, 0.0))
        : OptionalDouble.empty();
  }

  /**
   * Thread-seconds above the baseline over the whole incident window, at least 0. Without a
   * baseline all waiting counts, except for answers from downstream: how long those take when
   * nothing is wrong is then unknown.
   */
  public double excessSeconds(Effect effect) {
    double seconds = incident.windows().incident().seconds();
    if (effect == Effect.DOWNSTREAM_WAIT && incident.windows().baseline().isEmpty()) {
      return 0;
    }
    double more = Math.max(0, during(effect) - before(effect).orElse(0));
    if (effect == Effect.DOWNSTREAM_WAIT) {
      // A busier service spends more time in calls that are as fast as ever: that is no trouble.
      double slower = DownstreamCalls.shareOfSlowerCalls(incident).orElse(1);
      more = Math.min(more, slower * during(effect));
    }
    return more * seconds;
  }

  /** All excess together, in thread-seconds. */
  public double totalExcessSeconds() {
    double total = 0;
    for (Effect effect : Effect.values()) {
      total += excessSeconds(effect);
    }
    return total;
  }

  private void measureCalm(Window calm) {
    measure(calm, before);
    Timeline timeline = incident.timeline();
    if (MachineLoad.isFull(timeline, calm) && timeline.dumps(calm).isEmpty()) {
      // Full before as well, and no dump to count by: nothing says that the queue grew.
      before.put(Effect.CPU_QUEUE, during(Effect.CPU_QUEUE));
    }
  }

  private void measure(Window window, Map<Effect, Double> into) {
    Timeline timeline = incident.timeline();
    List<GcPause> pauses = timeline.pauses(window);
    double frozen = 0;
    for (Map.Entry<Effect, WaitKind> wait : WAITS.entrySet()) {
      Effect effect = wait.getKey();
      List<WaitSeries> series = userWaits(timeline, wait.getValue());
      double waited = series.stream().mapToDouble(s -> s.within(window).waitedSeconds()).sum();
      double stopped = Math.min(waited, frozenSeconds(series, pauses));
      // A downstream call in flight costs its user nothing more while the JVM stands still, except
      // for the part of the stop in which the answer was already there; all of it counts as
      // stopped.
      frozen += stopped;
      into.put(effect, (waited - stopped) / window.seconds());
    }
    List<Duration> lengths = pauses.stream().map(GcPause::duration).toList();
    double keptOut = keptOutSeconds(timeline, lengths, window);
    List<Duration> stops = timeline.safepoints(window).stream().map(SafepointStop::lost).toList();
    into.put(Effect.SAFEPOINT, keptOutSeconds(timeline, stops, window) / window.seconds());
    into.put(Effect.STOPPED, (frozen + keptOut) / window.seconds());
    into.put(Effect.CPU_QUEUE, cpuQueue(timeline, window));
  }

  /**
   * Waits that keep users waiting: on request threads, or all where none is recognised as one.
   * Borrowers of connections count on any thread.
   */
  public static List<WaitSeries> userWaits(Timeline timeline, WaitKind kind) {
    boolean known = timeline.waits().stream().anyMatch(series -> series.site().onRequestThread());
    return timeline.waits(kind).stream()
        .filter(series -> !known || series.site().onRequestThread() || kind == WaitKind.POOL)
        .toList();
  }

  /** Thread time that waiting threads spent while everything stood still. */
  private static double frozenSeconds(List<WaitSeries> series, List<GcPause> pauses) {
    double seconds = 0;
    for (GcPause pause : pauses) {
      Instant middle = pause.start().plus(pause.duration().dividedBy(2));
      double waiting = series.stream().mapToDouble(s -> s.waitingAt(middle)).sum();
      seconds += waiting * Durations.seconds(pause.duration());
    }
    return seconds;
  }

  /**
   * Thread time of work other than recorded waits that a stop held up: requests that arrive during
   * it (each half of it on average) and those in service (each all of it). With the request rate
   * unknown, one piece of work at a time is assumed, which is a lower bound.
   */
  private static double keptOutSeconds(Timeline timeline, List<Duration> stops, Window window) {
    Optional<Rate> rate = requestRate(timeline, window);
    double inService =
        rate.flatMap(
                r -> undisturbedLatency(timeline).map(l -> r.perSecond() * Durations.seconds(l)))
            .orElse(1.0);
    // Between pauses that follow closely a request needs several gaps to get its work done.
    double running = 1 - PauseTotals.of(timeline, window).shareStopped();
    double held = inService / Math.max(running, LEAST_RUNNING);
    double seconds = 0;
    for (Duration stop : stops) {
      double length = Durations.seconds(stop);
      double arrivals = rate.map(Rate::perSecond).orElse(0.0) * length;
      seconds += length * (held + arrivals / 2);
    }
    return seconds;
  }

  /** Requests per second, as said by the operator or measured by a load generator. */
  public static Optional<Rate> requestRate(Timeline timeline) {
    return timeline
        .operator()
        .rate()
        .or(() -> timeline.mainRequestStats().flatMap(RequestStats::rate))
        .filter(rate -> rate.perSecond() > 0);
  }

  /** Requests per second inside a window, where the files say it over time; else of all of them. */
  public static Optional<Rate> requestRate(Timeline timeline, Window window) {
    return timeline
        .operator()
        .rate()
        .or(() -> timeline.mainRequestSeries().map(series -> series.rate(window)))
        .filter(rate -> rate.perSecond() > 0)
        .or(() -> requestRate(timeline));
  }

  /** The median latency of the load test: what a request takes when it is not in the tail. */
  private static Optional<Duration> undisturbedLatency(Timeline timeline) {
    return timeline.mainRequestStats().flatMap(stats -> stats.percentile(50.0));
  }

  /** Runnable request threads beyond the cores, from dumps taken while the machine was full. */
  private static double cpuQueue(Timeline timeline, Window window) {
    int cores = timeline.jvm().cpus().orElse(0);
    List<ThreadSnapshot> dumps = timeline.dumps(window);
    if (cores == 0 || dumps.isEmpty() || !MachineLoad.isFull(timeline, window)) {
      return 0;
    }
    double queued = 0;
    for (ThreadSnapshot dump : dumps) {
      queued += Math.max(0, runningRequests(dump) - cores);
    }
    // While everything is stopped, a runnable thread waits for the collector and not for a core.
    double running = 1 - PauseTotals.of(timeline, window).shareStopped();
    double threads = running * queued / dumps.size();
    // No more threads can have waited than the load test saw requests in the system altogether.
    return timeline
        .mainRequestStats()
        .filter(stats -> stats.requests().isPresent())
        .flatMap(
            stats ->
                stats.mean().map(mean -> Durations.seconds(mean) * stats.requests().getAsLong()))
        .map(inSystem -> Math.min(inSystem / window.seconds(), threads))
        .orElse(threads);
  }

  private static long runningRequests(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(thread -> thread.requestThread() && thread.activity() == ThreadActivity.RUNNING)
        .count();
  }
}
