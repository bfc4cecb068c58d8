package io.gcdiag.evidence;

import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Rate and latency of requests over time, as a load generator's raw results or a scraped histogram
 * give them.
 *
 * @param producer the tool, such as {@code k6} or {@code prometheus}
 * @param step length of every interval
 * @param intervals by time, without gaps
 * @param source where this was read
 */
public record RequestSeries(
    String producer, Duration step, List<RequestInterval> intervals, Source source) {

  /** Copies the intervals. */
  public RequestSeries {
    intervals = List.copyOf(intervals);
  }

  /** From the first interval's start to the last one's end; absent intervals give an empty span. */
  public Window span() {
    if (intervals.isEmpty()) {
      return new Window(Instant.EPOCH, Instant.EPOCH);
    }
    return new Window(
        intervals.get(0).from(), intervals.get(intervals.size() - 1).from().plus(step));
  }

  /** All requests of the intervals that begin inside the window. */
  public RequestInterval within(Window window) {
    return intervals.stream()
        .filter(interval -> window.contains(interval.from()))
        .reduce(new RequestInterval(window.from(), 0, 0, Latencies.none()), RequestInterval::plus);
  }

  /** Requests per second inside the window, over the part of it that the series covers. */
  public Rate rate(Window window) {
    long covered = intervals.stream().filter(interval -> window.contains(interval.from())).count();
    double seconds = covered * step.toNanos() / 1e9;
    return new Rate(seconds == 0 ? 0 : within(window).requests() / seconds);
  }
}
