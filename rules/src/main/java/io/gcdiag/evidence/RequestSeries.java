package io.gcdiag.evidence;

import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

  private static final double NANOS_PER_SECOND = 1e9;

  /** Copies the intervals. */
  public RequestSeries {
    if (step.isZero() || step.isNegative()) {
      throw new IllegalArgumentException("not a length of intervals: " + step);
    }
    intervals = List.copyOf(intervals);
  }

  /** From the first interval's start to the last one's end; absent if there is no interval. */
  public Optional<Window> span() {
    if (intervals.isEmpty()) {
      return Optional.empty();
    }
    Instant last = intervals.get(intervals.size() - 1).from();
    return Optional.of(new Window(intervals.get(0).from(), last.plus(step)));
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
    double seconds = covered * step.toNanos() / NANOS_PER_SECOND;
    return new Rate(seconds == 0 ? 0 : within(window).requests() / seconds);
  }
}
