package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * Load test figures of the requests that an incident without a baseline is about: those of its
 * window, if that is a part of the test and the test has figures over time; otherwise those of the
 * whole run.
 */
public final class TestedRequests {

  private TestedRequests() {}

  /** Empty if there is no load test. */
  public static Optional<RequestStats> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Optional<RequestStats> run = timeline.mainRequestStats();
    if (incident.baseline().isPresent()
        || incident.window().seconds() >= (1 - Policy.TAIL) * timeline.span().seconds()) {
      return run;
    }
    return run.map(whole -> ofWindow(incident, whole));
  }

  /**
   * Figures of the incident's own requests, with or without a baseline; of the whole run if no
   * series over time covers the window.
   */
  public static Optional<RequestStats> ofIncident(Incident incident) {
    return RequestExcess.overTime(incident).isEmpty()
        ? of(incident)
        : incident.timeline().mainRequestStats().map(whole -> ofWindow(incident, whole));
  }

  private static RequestStats ofWindow(Incident incident, RequestStats whole) {
    return incident
        .timeline()
        .requestsOfSpan()
        .filter(series -> covers(series, incident.window()))
        .flatMap(series -> within(series, incident.window(), whole))
        .orElse(whole);
  }

  private static Optional<RequestStats> within(
      RequestSeries series, Window window, RequestStats whole) {
    RequestInterval part = series.within(window);
    Latencies latencies = part.latencies();
    Optional<Duration> median = latencies.percentile(Percentiles.MEDIAN).map(LatencyBound::atLeast);
    Optional<Duration> tail = latencies.percentile(Percentiles.TAIL).map(LatencyBound::atLeast);
    if (latencies.count() == 0 || median.isEmpty() || tail.isEmpty()) {
      return Optional.empty();
    }
    RequestStats.Builder stats =
        new RequestStats.Builder(series.producer(), series.source())
            .requests(part.requests())
            .failed(part.failed())
            .mean(Durations.ofSeconds(latencies.totalSeconds() / latencies.count()))
            .percentile(Percentiles.MEDIAN, median.get())
            .percentile(Percentiles.TAIL, tail.get());
    latencies
        .percentile(Percentiles.NINE_OF_TEN)
        .map(LatencyBound::atLeast)
        .ifPresent(most -> stats.percentile(Percentiles.NINE_OF_TEN, most));
    series.rate(window).ifPresent(stats::rate);
    whole.dropped().ifPresent(stats::dropped);
    whole.shortest().ifPresent(stats::shortest);
    whole.model().ifPresent(stats::model);
    return Optional.of(stats.build());
  }

  public static boolean covers(RequestSeries series, Window window) {
    return secondsIn(series, window) >= Policy.COVERED * window.seconds();
  }

  /** How much of a window a series covers with requests in progress, in seconds. */
  public static double secondsIn(RequestSeries series, Window window) {
    return series
        .inProgress()
        .map(own -> Durations.seconds(own.overlap(window.from(), window.length())))
        .orElse(0.0);
  }
}
