package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/** What stops of the whole application cost its users, in thread-seconds. */
public final class StopCost {

  /** Below this share of time left the estimate of work in service has no meaning any more. */
  private static final double LEAST_RUNNING = 0.01;

  private StopCost() {}

  /** Thread time that waiting threads spent while everything was stopped by the collector. */
  public static double frozenSeconds(List<WaitSeries> series, Pauses pauses) {
    return frozenSeconds(series, pauses, GcPause::start, GcPause::duration);
  }

  /** The same of safepoints that are no collection's. */
  public static double frozenBySafepoints(List<WaitSeries> series, List<SafepointStop> stops) {
    return frozenSeconds(series, stops, SafepointStop::start, SafepointStop::lost);
  }

  private static <T> double frozenSeconds(
      List<WaitSeries> series,
      Collection<T> stops,
      Function<T, Instant> start,
      Function<T, Duration> length) {
    if (series.isEmpty() || stops.isEmpty()) {
      return 0;
    }
    WaitingThreads waiting = WaitingThreads.at(series);
    double seconds = 0;
    for (T stop : stops) {
      Duration stopped = length.apply(stop);
      seconds += waiting.during(start.apply(stop), stopped) * Durations.seconds(stopped);
    }
    return seconds;
  }

  /**
   * Thread time of work other than recorded waits that a stop delayed: requests that arrive during
   * it (each half of it on average) and those in service (each all of it). What queued takes time
   * to clear, in which more arrives: with a share u of the cores in use that makes it 1 / (1 - u)
   * times as much, as for a fluid queue. Where the request rate of the baseline is not known, it is
   * what its stops would cost the requests of the incident ({@link #isOfItsOwnRate}). With none
   * known, one piece of work at a time is assumed, which is a lower bound.
   */
  static double keptOutSeconds(Incident incident, List<Duration> stops, Window window) {
    return keptOutSeconds(incident, stops.size(), i -> Durations.seconds(stops.get(i)), window);
  }

  /**
   * The same of the collector's pauses; by its meters, where nothing has the pauses themselves, the
   * least that these allow.
   */
  public static double keptOutByPauses(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    Pauses pauses = timeline.pauses(window);
    return CollectorMeters.of(timeline)
        .map(meters -> keptOutSeconds(incident, meters.least(window), window))
        .orElseGet(() -> keptOutSeconds(incident, pauses.size(), pauses::seconds, window));
  }

  /** The same of safepoints that are no collection's, without what observing the JVM takes. */
  public static double keptOutBySafepoints(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    ObserverCost observation = ObserverCost.of(timeline);
    List<SafepointStop> stops = timeline.safepoints(window);
    return keptOutSeconds(
        incident, stops.size(), i -> Durations.seconds(observation.lost(stops.get(i))), window);
  }

  /** The same of stops by a quota of CPU. */
  public static double keptOutByQuota(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    List<Duration> stops =
        Throttling.of(timeline, window).map(t -> t.stops(timeline)).orElse(List.of());
    return keptOutSeconds(incident, stops, window);
  }

  /** The same of stops for observing the JVM: no part of an incident, though requests waited. */
  public static double keptOutByLooks(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    return keptOutSeconds(incident, ObserverCost.of(timeline).leftOut(timeline, window), window);
  }

  /** The same of stops whose lengths, in seconds, are asked for one by one. */
  static double keptOutSeconds(
      Incident incident, int stops, IntToDoubleFunction lengths, Window window) {
    Timeline timeline = incident.timeline();
    double drain = 1 / (1 - Math.min(Policy.CLEAR_ROOM, used(timeline, window)));
    Optional<Rate> rate =
        RequestRate.of(incident, window).or(() -> RequestRate.of(incident, incident.window()));
    double inService =
        rate.flatMap(
                r -> undisturbedLatency(timeline).map(l -> r.perSecond() * Durations.seconds(l)))
            .orElse(1.0);
    // Between pauses that follow closely a request needs several gaps to get its work done.
    double running = 1 - PauseTotals.of(timeline, window).shareStopped();
    double held = inService / Math.max(running, LEAST_RUNNING);
    double seconds = 0;
    double perSecond = rate.map(Rate::perSecond).orElse(0.0);
    for (int i = 0; i < stops; i++) {
      double length = lengths.applyAsDouble(i);
      double arrivals = perSecond * length;
      seconds += length * (held + arrivals / 2 * drain);
    }
    return seconds;
  }

  /**
   * Whether stops of the baseline are weighed by requests of its own. Where the rate is known of
   * the incident alone, they are weighed by those: what stops became more is comparable, and what
   * they cost then is unknown.
   */
  public static boolean isOfItsOwnRate(Incident incident, Window baseline) {
    return RequestRate.of(incident, baseline).isPresent()
        || RequestRate.of(incident, incident.window()).isEmpty();
  }

  /** Share of the cores in use while the application runs, without the collector's pauses. */
  private static double used(Timeline timeline, Window window) {
    OptionalDouble all = MachineLoad.mean(timeline, window);
    if (all.isEmpty()) {
      return 0;
    }
    double cores = Math.max(1, timeline.jvm().cpus().orElse(1));
    double collector = CollectorTimes.of(timeline, window).cpuSeconds();
    double running = 1 - PauseTotals.of(timeline, window).shareStopped();
    return Math.max(0, all.getAsDouble() - collector / (window.seconds() * cores))
        / Math.max(running, LEAST_RUNNING);
  }

  private static Optional<Duration> undisturbedLatency(Timeline timeline) {
    return timeline.mainRequestStats().flatMap(RequestExcess::undisturbed);
  }
}
