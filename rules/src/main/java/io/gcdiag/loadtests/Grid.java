package io.gcdiag.loadtests;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Time cut into intervals of equal length, and irregular readings as one value per interval. A
 * reading covers the time since the previous one and is placed in the middle of that time. Unknown
 * values are NaN.
 *
 * @param from start of the first
 */
record Grid(Instant from, Duration step, int count) {

  /** A counter's value of an interval needs this share of it covered. */
  private static final double LEAST_COVERED = 0.5;

  /** A mean of fewer is that of one of them. */
  private static final int FEWEST_REQUESTS = 5;

  /** In a gap longer than this many intervals, or usual gaps, readings are missing. */
  private static final int LONGEST_GAP = 2;

  Grid {
    if (count < 1 || step.isZero() || step.isNegative()) {
      throw new IllegalArgumentException(count + " intervals of " + step);
    }
  }

  Window window(int i) {
    Instant start = from.plus(step.multipliedBy(i));
    return new Window(start, start.plus(step));
  }

  Window whole() {
    return new Window(from, from.plus(step.multipliedBy(count)));
  }

  /** The interval that holds an instant; before the first it is -1, after the last the count. */
  int index(Instant at) {
    Window whole = whole();
    if (!whole.contains(at)) {
      return at.isBefore(from) ? -1 : count;
    }
    return (int) Duration.between(from, at).dividedBy(step);
  }

  boolean holds(int index) {
    return index >= 0 && index < count;
  }

  /** The usual time from one reading to the next (the median); zero with fewer than two. */
  static Duration usualGap(List<Point> points) {
    List<Duration> gaps = new ArrayList<>();
    for (int i = 1; i < points.size(); i++) {
      gaps.add(Duration.between(points.get(i - 1).at(), points.get(i).at()));
    }
    gaps.sort(null);
    return gaps.isEmpty() ? Duration.ZERO : gaps.get(gaps.size() / 2);
  }

  double[] means(List<Point> points) {
    return means(points, usualGap(points).dividedBy(2));
  }

  /** The mean of the readings in each interval, each placed so much before its time. */
  double[] means(List<Point> points, Duration back) {
    double[] sums = new double[count];
    int[] counts = new int[count];
    for (Point point : points) {
      int index = index(point.at().minus(back));
      if (holds(index)) {
        sums[index] += point.value();
        counts[index]++;
      }
    }
    Arrays.setAll(sums, i -> counts[i] == 0 ? Double.NaN : sums[i] / counts[i]);
    return sums;
  }

  /** The mean latency of an endpoint in each interval, unknown with very few requests. */
  double[] means(EndpointSeries endpoint, Duration step) {
    double[] sums = new double[count];
    long[] requests = new long[count];
    for (EndpointSeries.Slot slot : endpoint.slots()) {
      int index = index(slot.from().plus(step.dividedBy(2)));
      if (holds(index)) {
        sums[index] += slot.latencySeconds();
        requests[index] += slot.requests();
      }
    }
    Arrays.setAll(sums, i -> requests[i] < FEWEST_REQUESTS ? Double.NaN : sums[i] / requests[i]);
    return sums;
  }

  /**
   * Growth of a counter per second in each interval, assumed steady between two readings; unknown
   * where the counter fell, because it restarted.
   */
  double[] rates(List<Point> points) {
    Duration usual = usualGap(points);
    Duration longest = (usual.compareTo(step) > 0 ? usual : step).multipliedBy(LONGEST_GAP);
    double[] grown = new double[count];
    double[] covered = new double[count];
    for (int i = 1; i < points.size(); i++) {
      Instant begin = points.get(i - 1).at();
      Duration gap = Duration.between(begin, points.get(i).at());
      double growth = points.get(i).value() - points.get(i - 1).value();
      if (growth >= 0 && !gap.isZero() && gap.compareTo(longest) <= 0) {
        double perSecond = growth / Durations.seconds(gap);
        overlaps(
            begin,
            gap,
            (index, inside) -> {
              grown[index] += perSecond * inside;
              covered[index] += inside;
            });
      }
    }
    double least = LEAST_COVERED * Durations.seconds(step);
    for (int i = 0; i < grown.length; i++) {
      grown[i] = covered[i] < least ? Double.NaN : grown[i] / covered[i];
    }
    return grown;
  }

  interface Part {
    void of(int index, double seconds);
  }

  /** The seconds of a span in each interval. */
  void overlaps(Instant start, Duration length, Part part) {
    int first = Math.max(0, index(start));
    int last = Math.min(count - 1, index(start.plus(length)));
    for (int i = first; i <= last; i++) {
      part.of(i, Durations.seconds(window(i).overlap(start, length)));
    }
  }

  /** Which intervals lie wholly inside a window. */
  boolean[] inside(Window window) {
    boolean[] inside = new boolean[count];
    for (int i = 0; i < inside.length; i++) {
      Window interval = window(i);
      inside[i] = !interval.from().isBefore(window.from()) && !interval.to().isAfter(window.to());
    }
    return inside;
  }

  static int known(double[] values) {
    return (int) Arrays.stream(values).filter(value -> !Double.isNaN(value)).count();
  }
}
