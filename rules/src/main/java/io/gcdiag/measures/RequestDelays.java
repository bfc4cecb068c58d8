package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.ObserverCost;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.requests.UnendedRequests;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** User impact over time, by a load test or a scraped histogram. */
public final class RequestDelays {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Users notice a tail that doubled, unless it stays below this. */
  private static final double DOUBLED = 2;

  private RequestDelays() {}

  /**
   * By how much requests took longer than usual in each bucket, as the average number of threads
   * that this keeps busy. More requests of the usual latency do not count.
   *
   * @return empty if no series covers the span
   */
  public static Optional<double[]> over(Timeline timeline, Window span, Duration bucket) {
    return covering(timeline, span, bucket).map(series -> delays(series, span, bucket));
  }

  /**
   * The part of a span in which requests were sent or in progress, in whole buckets from its start.
   * Before and after it no request could be delayed; that time is not a baseline but unknown.
   *
   * @return empty if no series shows it for long enough to hold an incident and a baseline
   */
  public static Optional<Window> loaded(Timeline timeline, Window span, Duration bucket) {
    return series(timeline, span)
        .filter(series -> series.step().compareTo(bucket) <= 0)
        .flatMap(RequestSeries::inProgress)
        .map(
            own -> {
              long late = Duration.between(span.from(), own.from()).toNanos();
              long skipped = Math.max(0, Math.floorDiv(late, bucket.toNanos()));
              Instant from = span.from().plus(bucket.multipliedBy(skipped));
              Instant end = own.to().isBefore(span.to()) ? own.to() : span.to();
              return new Window(from, end.isAfter(from) ? end : from);
            })
        .filter(part -> part.length().compareTo(Policy.SUSTAINED.multipliedBy(2)) >= 0);
  }

  /**
   * When a load test sent requests and got responses, by its own timestamps. Scraped counters are
   * used only if they cover most of the recording, because there were requests before and after
   * them.
   */
  static Optional<Window> tested(Timeline timeline) {
    Window span = timeline.span();
    return series(timeline, span)
        .filter(one -> !one.isScraped(timeline.metrics()) || coversMost(one, span))
        .flatMap(RequestSeries::inProgress);
  }

  /**
   * Whether most requests of a window failed, or the median one waited, compared with the shortest
   * latency of the run.
   */
  static boolean mostAreDelayed(Timeline timeline, Window window) {
    Optional<RequestInterval> requests =
        timeline.requestsOfSpan().map(series -> series.within(window));
    Optional<Duration> shortest = timeline.mainRequestStats().flatMap(RequestStats::shortest);
    return requests.filter(all -> failed(all) > Policy.MAJORITY).isPresent()
        || requests
            .flatMap(all -> all.latencies().percentile(Percentiles.MEDIAN))
            .map(LatencyBound::atLeast)
            .filter(median -> shortest.filter(l -> LoadTestDelays.isQueued(median, l)).isPresent())
            .isPresent();
  }

  /** The usual step of the series that covers a span, in whole seconds. */
  static Optional<Duration> step(Timeline timeline, Window span) {
    return series(timeline, span)
        .filter(one -> coversMost(one, span))
        .map(series -> Duration.ofSeconds((long) Math.ceil(Durations.seconds(series.step()))));
  }

  private static Optional<RequestSeries> covering(Timeline timeline, Window span, Duration bucket) {
    return series(timeline, span)
        .filter(one -> coversMost(one, span))
        .filter(one -> one.step().compareTo(bucket) <= 0);
  }

  private static boolean coversMost(RequestSeries series, Window span) {
    return series
        .inProgress()
        .map(own -> own.overlap(span.from(), span.length()))
        .filter(both -> Durations.seconds(both) > Policy.MAJORITY * span.seconds())
        .isPresent();
  }

  /**
   * The requests of a span over time: of a load test if there is one, otherwise the service's own
   * counters. A series that lies mostly outside the span is of another run.
   */
  private static Optional<RequestSeries> series(Timeline timeline, Window span) {
    return timeline.requests().series().stream()
        .filter(
            one ->
                coversMost(one, span)
                    || one.span().filter(own -> isMostly(one, own, span)).isPresent())
        .max(
            Comparator.comparing((RequestSeries one) -> !one.isScraped(timeline.metrics()))
                .thenComparing(one -> isMain(timeline, one))
                .thenComparing(one -> one.within(span).requests()));
  }

  /** Where servers alone measured them, windows and figures are of one file. */
  private static boolean isMain(Timeline timeline, RequestSeries series) {
    return timeline
        .mainRequestSeries()
        .filter(main -> main == series && main.holds() == RequestSeries.Holds.EACH_ANSWERED)
        .isPresent();
  }

  private static boolean isMostly(RequestSeries series, Window own, Window span) {
    return TestedRequests.secondsIn(series, span) > Policy.MAJORITY * own.seconds();
  }

  /**
   * The same for one series, whether or not it covers the span: requests in progress in each bucket
   * beyond those that would be in progress at the usual latency. A request is in progress from when
   * it is sent until its response; one that takes 30 s is late in each bucket of these.
   */
  public static double[] delays(RequestSeries series, Window span, Duration bucket) {
    double usual = usualSeconds(series);
    double step = Durations.seconds(bucket);
    int count = (int) (span.length().toNanos() / bucket.toNanos());
    double[] delays = new double[Math.max(0, count)];
    for (RequestInterval interval : series.intervals()) {
      double at = Durations.seconds(Duration.between(span.from(), interval.middle())) / step;
      int own = (int) Math.floor(at);
      if (own >= 0 && own < count) {
        delays[own] -= usual * interval.latencies().count() / step;
      }
      double left = interval.latencies().totalSeconds();
      for (int i = own; i < count && left > 0; i++) {
        double spent =
            interval.latencies().secondsBetween(Math.max(0, i - at) * step, (i + 1 - at) * step);
        left = spent > 0 ? left - spent : 0;
        if (i >= 0) {
          delays[i] += spent / step;
        }
      }
    }
    Arrays.setAll(delays, i -> Math.max(0, delays[i]));
    return delays;
  }

  /** The share of requests that failed in each bucket; absent if no series covers the span. */
  static Optional<double[]> failures(Timeline timeline, Window span, Duration bucket) {
    return covering(timeline, span, bucket)
        .map(
            series -> {
              double[] shares = new double[(int) (span.length().toNanos() / bucket.toNanos())];
              for (int i = 0; i < shares.length; i++) {
                shares[i] = failed(series.within(span.part(bucket, i)));
              }
              return shares;
            });
  }

  /**
   * Requests that ended per second in each bucket, below 0: fewer are more. Absent where each one
   * that was sent is known, and if no series covers the span.
   */
  static Optional<double[]> ended(Timeline timeline, Window span, Duration bucket) {
    return covering(timeline, span, bucket)
        .filter(UnendedRequests::isOfServer)
        .map(
            series -> {
              double[] ended = new double[(int) (span.length().toNanos() / bucket.toNanos())];
              Arrays.setAll(
                  ended,
                  i -> -series.within(span.part(bucket, i)).requests() / Durations.seconds(bucket));
              return ended;
            });
  }

  private static double usualSeconds(RequestSeries series) {
    List<Double> medians =
        series.intervals().stream()
            .flatMap(interval -> typical(interval.latencies()).stream())
            .map(Durations::seconds)
            .sorted()
            .toList();
    return medians.isEmpty() ? 0 : medians.get((int) (Policy.SUBSTANTIAL * medians.size()));
  }

  /** The median latency; the mean if only that is known. */
  private static Optional<Duration> typical(Latencies latencies) {
    return latencies.areMeans()
        ? latencies.mean()
        : latencies
            .percentile(Percentiles.MEDIAN)
            .map(bound -> bound.atMost().orElse(bound.atLeast()));
  }

  /**
   * Whether users noticed the incident: the tail doubled against the baseline. If only the mean is
   * known, the mean doubled; the tail is then longer still.
   */
  public static boolean rose(Incident incident) {
    Optional<RequestSeries> series = incident.timeline().requestsOfSpan();
    Optional<Duration> tail =
        series.map(one -> one.within(incident.window())).flatMap(RequestDelays::tail);
    Optional<Duration> before = baseline(incident, series).flatMap(RequestDelays::tail);
    return tail.isPresent()
        && before.isPresent()
        && tail.get().compareTo(Policy.LEAST_TAIL) >= 0
        && Durations.seconds(tail.get()) >= DOUBLED * Durations.seconds(before.get())
        && !ObserverTail.accountsFor(incident, tail.get());
  }

  /**
   * Whether requests fail that did not fail in the baseline. An immediate failure takes no time, so
   * the lost time does not show its reason.
   */
  public static boolean fail(Incident incident) {
    Optional<RequestSeries> series = incident.timeline().requestsOfSpan();
    double during = series.map(one -> failed(one.within(incident.window()))).orElse(0.0);
    double before = baseline(incident, series).map(RequestDelays::failed).orElse(0.0);
    return during - before > Policy.TOLERABLE_FAILURES;
  }

  /** Share of the incident's requests that failed, if that is most of them and was not before. */
  public static OptionalDouble mostFailed(Incident incident) {
    double during =
        incident
            .timeline()
            .requestsOfSpan()
            .map(series -> failed(series.within(incident.window())))
            .orElse(0.0);
    return fail(incident) && during > Policy.MAJORITY
        ? OptionalDouble.of(during)
        : OptionalDouble.empty();
  }

  private static Optional<RequestInterval> baseline(
      Incident incident, Optional<RequestSeries> series) {
    return series.flatMap(one -> incident.baseline().map(one::within));
  }

  /** Share of the requests, 0 to 1. */
  private static double failed(RequestInterval requests) {
    return requests.requests() == 0 ? 0 : requests.failed() / (double) requests.requests();
  }

  private static Optional<Duration> tail(RequestInterval requests) {
    return requests.latencies().areMeans()
        ? requests.latencies().mean()
        : requests.latencies().percentile(Percentiles.TAIL).map(LatencyBound::atLeast);
  }

  /**
   * Whether the slowest requests are those delayed by a thread dump that was taken to observe the
   * incident.
   */
  static final class ObserverTail {

    /** The queue of a pause takes up to as long as the pause to drain. */
    private static final double CLEARED = 2;

    /**
     * Whether pauses for observing the incident explain a 99th percentile: at least one request in
     * a hundred arrived during them, and they were about as long.
     */
    static boolean accountsFor(Incident incident, Duration tail) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      List<Duration> looks = ObserverCost.of(timeline).leftOut(timeline, window);
      double seconds = looks.stream().mapToDouble(Durations::seconds).sum();
      double longest =
          looks.stream().max(Comparator.naturalOrder()).map(Durations::seconds).orElse(0.0);
      return seconds >= Policy.TAIL * window.seconds()
          && Durations.seconds(tail) <= CLEARED * longest;
    }
  }

  /**
   * The part of a baseline before the first of its requests that took as long as half of the
   * incident's do, if at least a tenth of those after it did, and most of the baseline is left:
   * these belong to the incident, although the others were still quick.
   */
  static Window beforeSlow(Timeline timeline, Window baseline, Window incident) {
    Optional<RequestSeries> series = timeline.requestsOfSpan();
    Optional<Duration> slow = series.flatMap(one -> median(one, incident));
    Optional<Duration> usual = series.flatMap(one -> median(one, baseline));
    if (slow.isEmpty()
        || usual.isEmpty()
        || !LoadTestDelays.isManyTimes(
            Durations.seconds(slow.get()), Durations.seconds(usual.get()))
        || !baseline.to().isBefore(incident.from())) {
      return baseline;
    }
    Instant half = baseline.from().plus(baseline.length().dividedBy(2));
    for (Instant from = baseline.from(); from.isBefore(baseline.to()); from = from.plus(SECOND)) {
      Window second = new Window(from, from.plus(SECOND));
      if (series.get().within(second).latencies().from(slow.get()).count() > 0) {
        Latencies rest = series.get().within(new Window(from, baseline.to())).latencies();
        return from.isAfter(half) && rest.from(slow.get()).count() >= Policy.NOTABLE * rest.count()
            ? new Window(baseline.from(), from)
            : baseline;
      }
    }
    return baseline;
  }

  private static Optional<Duration> median(RequestSeries series, Window window) {
    return series
        .within(window)
        .latencies()
        .percentile(Percentiles.MEDIAN)
        .map(LatencyBound::atLeast);
  }
}
