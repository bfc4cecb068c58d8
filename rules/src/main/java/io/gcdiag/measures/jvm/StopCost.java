package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/** Cost of pauses and other stops of the whole application for its requests, in thread-seconds. */
public final class StopCost {

  /**
   * If less than this share of the time is left to run, the estimate of work in service is
   * meaningless.
   */
  static final double LEAST_RUNNING = 0.01;

  private StopCost() {}

  /** Thread time that waiting threads spent during GC pauses. */
  public static double frozenSeconds(List<WaitSeries> series, Pauses pauses) {
    return frozenSeconds(series, pauses, GcPause::start, GcPause::duration);
  }

  /** The same for non-GC safepoints, of which so much counts. */
  public static double frozenBySafepoints(
      List<WaitSeries> series, List<SafepointStop> stops, Function<SafepointStop, Duration> lost) {
    return frozenSeconds(series, stops, SafepointStop::start, lost);
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
   * Thread time of work outside recorded waits that a stop delayed: requests that arrive during it
   * (half of it each, on average) and those in service (all of it each). The queue takes time to
   * drain, during which more requests arrive; at CPU utilisation u this multiplies the time by 1 /
   * (1 - u), as for a fluid queue. A collection that a request's allocation causes stops that
   * request at least, however few are in service on average. If the baseline's request rate is
   * unknown, its stops are weighted with the incident's rate ({@link #isOfItsOwnRate}). If no rate
   * is known, the workers' rounds, one request in service at a time and no backlog are assumed,
   * which is a lower bound.
   */
  static double keptOutSeconds(Incident incident, List<Duration> stops, Window window) {
    return keptOutSeconds(incident, stops.size(), i -> Durations.seconds(stops.get(i)), window, 0);
  }

  /** The same for GC pauses; if there are only GC metrics, the least that these allow. */
  public static double keptOutByPauses(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    Pauses pauses = timeline.pauses(window);
    return CollectorMeters.of(timeline)
        .map(meters -> keptOutSeconds(incident, meters.least(window), window))
        .orElseGet(
            () ->
                keptOutSeconds(
                    incident,
                    pauses.size(),
                    pauses::seconds,
                    window,
                    causedByRequests(timeline, window)));
  }

  /**
   * Share of the window's pauses that begin because a request allocates: of the collections that
   * start so, and not in the collector's own time, as much as of the allocation samples are of
   * request threads. 0 if none were recorded.
   */
  private static double causedByRequests(Timeline timeline, Window window) {
    if (!timeline.sees(Signal.ALLOCATION_SAMPLES)) {
      return 0;
    }
    Pauses pauses = timeline.pauses(window);
    Pauses allocating = pauses.ofType(StopCost::startsByAllocation);
    double ofRequests = 0;
    double all = 0;
    for (OwnCode code : timeline.samples(OwnCode.class)) {
      if (code.activity() == Activity.ALLOCATING) {
        for (Map.Entry<Spot, Long> bytes : code.within(window).entrySet()) {
          all += bytes.getValue();
          ofRequests += bytes.getKey().onRequestThread() ? bytes.getValue() : 0;
        }
      }
    }
    return all == 0 || pauses.isEmpty() ? 0 : ofRequests / all * allocating.size() / pauses.size();
  }

  private static boolean startsByAllocation(PauseType type) {
    return CollectionTrigger.isOrdinary(type)
        && (type.kind() == PauseKind.YOUNG
            || type.kind() == PauseKind.MIXED
            || type.kind() == PauseKind.FULL);
  }

  /**
   * Share of the requests that a GC pause delays: those that arrive during one, and those that are
   * in service when one begins; empty without latencies or pauses.
   */
  public static OptionalDouble shareDelayed(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    Optional<Duration> median = median(timeline, window);
    if (median.isEmpty() || !timeline.sees(Signal.GC_PAUSES)) {
      return OptionalDouble.empty();
    }
    PauseTotals totals = PauseTotals.of(timeline, window);
    double rate = RequestRate.of(incident, window).map(Rate::perSecond).orElse(0.0);
    double allocating = rate > 0 ? causedByRequests(timeline, window) / rate : 0;
    double begun =
        totals.count() / window.seconds() * Math.max(Durations.seconds(median.get()), allocating);
    return OptionalDouble.of(Math.min(1, totals.shareStopped() + begun));
  }

  /**
   * Upper bound of what GC pauses cost the requests that they delay, in thread-seconds: each at
   * most the longest pause, and together what as many of the slowest took beyond an undisturbed
   * one, if each latency is known. Empty where they delay all, because a request may then meet
   * several, and where the requests are few or unknown.
   */
  public static OptionalDouble mostByPauses(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double share = shareDelayed(incident, window).orElse(0);
    double requests =
        share
            * window.seconds()
            * RequestRate.of(incident, window).map(Rate::perSecond).orElse(0.0);
    if (share >= 1 || requests < Policy.FEWEST_COUNTED) {
      return OptionalDouble.empty();
    }
    double tail =
        timeline
            .requestsOfSpan()
            .filter(series -> TestedRequests.covers(series, window))
            .flatMap(
                series ->
                    undisturbedLatency(incident)
                        .map(
                            usual ->
                                series.within(window).latencies().slowestBeyond(requests, usual)))
            .orElse(Double.POSITIVE_INFINITY);
    double longest = Durations.seconds(timeline.pauses(window).longest());
    return OptionalDouble.of(Math.min(requests * longest, tail));
  }

  /** Of the requests of a window, or of the whole run where they are not known over time. */
  private static Optional<Duration> median(Timeline timeline, Window window) {
    return timeline
        .requestsOfSpan()
        .flatMap(series -> series.within(window).latencies().percentile(Percentiles.MEDIAN))
        .map(LatencyBound::atLeast)
        .or(
            () ->
                timeline.mainRequestStats().flatMap(stats -> stats.percentile(Percentiles.MEDIAN)));
  }

  /** The same for non-GC safepoints, without those for observing the JVM. */
  public static double keptOutBySafepoints(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    ObserverCost observation = ObserverCost.of(timeline);
    List<SafepointStop> stops = timeline.safepoints(window);
    return keptOutSeconds(
        incident, stops.size(), i -> Durations.seconds(observation.lost(stops.get(i))), window, 0);
  }

  /** The same for stops by a CPU quota. */
  public static double keptOutByQuota(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    List<Duration> stops =
        Throttling.of(timeline, window).map(t -> t.stops(timeline)).orElse(List.of());
    return keptOutSeconds(incident, stops, window);
  }

  /**
   * The same for stops for observing the JVM, which are not part of an incident although requests
   * waited.
   */
  public static double keptOutByLooks(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    return keptOutSeconds(incident, ObserverCost.of(timeline).leftOut(timeline, window), window);
  }

  /**
   * The same for stops given by a function of their lengths in seconds.
   *
   * @param atWork requests that are in service at least when one begins, on average
   */
  private static double keptOutSeconds(
      Incident incident, int stops, IntToDoubleFunction lengths, Window window, double atWork) {
    Timeline timeline = incident.timeline();
    Optional<Rate> rate =
        RequestRate.of(incident, window).or(() -> RequestRate.of(incident, incident.window()));
    double drain =
        rate.isPresent() ? 1 / (1 - Math.min(Policy.CLEAR_ROOM, used(timeline, window))) : 1;
    double inService =
        rate.flatMap(
                r -> undisturbedLatency(incident).map(l -> r.perSecond() * Durations.seconds(l)))
            .orElse(1.0);
    // If pauses follow each other closely, a request needs several gaps to finish; one has no gap.
    PauseTotals totals = PauseTotals.of(timeline, window);
    double running = totals.isOneAlone() ? 1 : 1 - totals.shareStopped();
    double held = Math.max(inService, atWork) / Math.max(running, LEAST_RUNNING);
    double seconds = 0;
    double perSecond =
        rate.map(Rate::perSecond).orElseGet(() -> ServedRequests.roundsPerSecond(timeline, window));
    for (int i = 0; i < stops; i++) {
      double length = lengths.applyAsDouble(i);
      double arrivals = perSecond * length;
      seconds += length * (held + arrivals / 2 * drain);
    }
    return seconds;
  }

  /**
   * Whether the baseline's stops are weighted with the baseline's own request rate. If only the
   * incident's rate is known, they are weighted with that: the growth is then comparable, but the
   * cost in the baseline is unknown.
   */
  public static boolean isOfItsOwnRate(Incident incident, Window baseline) {
    return RequestRate.of(incident, baseline).isPresent()
        || RequestRate.of(incident, incident.window()).isEmpty();
  }

  /** CPU utilisation while the application runs, without GC pauses. */
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

  private static Optional<Duration> undisturbedLatency(Incident incident) {
    Timeline timeline = incident.timeline();
    return incident
        .baseline()
        .filter(baseline -> RequestExcess.overTime(incident).isPresent())
        .flatMap(baseline -> median(timeline, baseline))
        .or(() -> timeline.mainRequestStats().flatMap(RequestExcess::undisturbed));
  }
}
