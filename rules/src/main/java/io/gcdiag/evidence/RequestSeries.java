package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Rate and latency of requests over time, from a load generator's raw results, a scraped histogram
 * or a scraped timer.
 *
 * @param producer the tool, such as {@code k6} or {@code prometheus}
 * @param step the usual length of an interval
 * @param intervals by time, without gaps
 * @param endpoints the same requests by endpoint; empty if their names are unknown
 * @param holds which of the requests it has
 * @param source where this was read
 */
public record RequestSeries(
    String producer,
    Duration step,
    List<RequestInterval> intervals,
    List<EndpointSeries> endpoints,
    Holds holds,
    Source source) {

  /** Which requests a series has. */
  public enum Holds {
    /** Each one that was sent, when it was sent, as a load test's results have. */
    EACH_SENT,
    /** Each one that was answered, when it came: a server writes none before its response. */
    EACH_ANSWERED,
    /** Sums over intervals, as meters have. */
    SUMS
  }

  /** A series without names of endpoints. */
  public RequestSeries(
      String producer, Duration step, List<RequestInterval> intervals, Source source) {
    this(producer, step, intervals, List.of(), source);
  }

  /** A series that a meter or a summary has. */
  public RequestSeries(
      String producer,
      Duration step,
      List<RequestInterval> intervals,
      List<EndpointSeries> endpoints,
      Source source) {
    this(producer, step, intervals, endpoints, Holds.SUMS, source);
  }

  /** The same of a load test, which has each request that it sent. */
  public RequestSeries completed() {
    return new RequestSeries(producer, step, intervals, endpoints, Holds.EACH_SENT, source);
  }

  public RequestSeries {
    if (step.isZero() || step.isNegative()) {
      throw new IllegalArgumentException("not a length of intervals: " + step);
    }
    intervals = List.copyOf(intervals);
    endpoints = List.copyOf(endpoints);
  }

  /** The same with renamed endpoints; endpoints whose names become equal are not merged. */
  public RequestSeries withEndpoints(UnaryOperator<String> renamed) {
    List<EndpointSeries> others =
        endpoints.stream().map(one -> one.named(renamed.apply(one.endpoint()))).toList();
    return new RequestSeries(producer, step, intervals, others, holds, source);
  }

  /** The same at other times: those of a local clock whose zone was unknown. */
  public RequestSeries shifted(Duration by) {
    return new RequestSeries(
        producer,
        step,
        intervals.stream().map(interval -> interval.shifted(by)).toList(),
        endpoints.stream().map(endpoint -> endpoint.shifted(by)).toList(),
        holds,
        source);
  }

  /** Whether only mean latencies are known and no percentiles, as from a timer. */
  public boolean hasMeansAlone() {
    return intervals.stream().anyMatch(interval -> interval.latencies().areMeans());
  }

  /** Whether it was counted by meters of the same file, and not measured one by one. */
  public boolean isScraped(List<MetricSeries> metrics) {
    return holds == Holds.SUMS
        && metrics.stream().anyMatch(metric -> metric.source().file().equals(source.file()));
  }

  /** From the first interval's start to the last one's end; empty without intervals. */
  public Optional<Window> span() {
    if (intervals.isEmpty()) {
      return Optional.empty();
    }
    RequestInterval last = intervals.get(intervals.size() - 1);
    return Optional.of(new Window(intervals.get(0).from(), last.from().plus(last.length())));
  }

  /**
   * From the first request sent until the last one was answered or given up, which may be long
   * after it was sent; empty without intervals.
   */
  public Optional<Window> inProgress() {
    return span().map(sent -> new Window(sent.from(), answered(sent.to())));
  }

  private Instant answered(Instant sent) {
    Instant last = sent;
    for (RequestInterval interval : intervals) {
      Instant end = interval.middle().plus(interval.latencies().longestAtLeast());
      last = end.isAfter(last) ? end : last;
    }
    return last;
  }

  /** Requests in progress in a window, on average, each from when it was sent to its response. */
  public double inProgress(Window window) {
    double seconds = 0;
    for (RequestInterval sent : intervals) {
      double from = Durations.seconds(Duration.between(sent.middle(), window.from()));
      double to = from + window.seconds();
      seconds += to <= 0 ? 0 : sent.latencies().secondsBetween(Math.max(0, from), to);
    }
    return seconds
        / inProgress()
            .map(all -> Durations.seconds(window.overlap(all.from(), all.length())))
            .orElse(window.seconds());
  }

  /** All requests of the intervals that begin inside the window. */
  public RequestInterval within(Window window) {
    return TimeOrder.within(intervals, RequestInterval::from, window).stream()
        .reduce(RequestInterval.none(window.from()), RequestInterval::plus);
  }

  /**
   * Requests per second inside the window, over the part of it that the series covers. One that has
   * each request goes on after the last was sent while any is still answered. Empty if none was
   * sent in the window.
   */
  public Optional<Rate> rate(Window window) {
    List<RequestInterval> sent = TimeOrder.within(intervals, RequestInterval::from, window);
    if (sent.isEmpty()) {
      return Optional.empty();
    }
    double sending =
        sent.stream().mapToDouble(interval -> Durations.seconds(interval.length())).sum();
    Instant lastSent = span().orElseThrow().to();
    Duration answering =
        holds == Holds.EACH_SENT && window.to().isAfter(lastSent)
            ? Duration.between(lastSent, inProgress().orElseThrow().to())
            : Duration.ZERO;
    double requests = sent.stream().mapToLong(RequestInterval::requests).sum();
    return Optional.of(
        new Rate(requests / (sending + Durations.seconds(window.overlap(lastSent, answering)))));
  }

  /**
   * Responses per second inside the window, also to requests that were sent before it: what was
   * served while more arrived. Empty if the series has sums only.
   */
  public Optional<Rate> answered(Window window) {
    long responses = 0;
    for (RequestInterval sent : holds == Holds.SUMS ? List.<RequestInterval>of() : intervals) {
      Duration from = Duration.between(sent.middle(), window.from());
      responses += sent.latencies().upTo(from.plus(window.length())) - sent.latencies().upTo(from);
    }
    return responses == 0 ? Optional.empty() : Optional.of(new Rate(responses / window.seconds()));
  }
}
