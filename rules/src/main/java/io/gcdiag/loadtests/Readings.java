package io.gcdiag.loadtests;

import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Irregular readings converted to one value per interval. A reading covers the time since the
 * previous one and is placed in the middle of that time. Unknown values are NaN.
 */
final class Readings {

  /** A counter's value of an interval needs this share of it covered. */
  private static final double LEAST_COVERED = 0.5;

  /** In a gap longer than this many intervals, or usual gaps, readings are missing. */
  private static final int LONGEST_GAP = 2;

  /** The usual time from one reading to the next (the median); zero with fewer than two. */
  static Duration usualGap(List<Point> points) {
    List<Duration> gaps = new ArrayList<>();
    for (int i = 1; i < points.size(); i++) {
      gaps.add(Duration.between(points.get(i - 1).at(), points.get(i).at()));
    }
    gaps.sort(null);
    return gaps.isEmpty() ? Duration.ZERO : gaps.get(gaps.size() / 2);
  }

  /** Means of readings that are each of the time since the one before. */
  static double[] means(Grid grid, List<Point> points) {
    return means(grid, points, usualGap(points).dividedBy(2));
  }

  /** Means of readings that are each of a time so long before. */
  static double[] means(Grid grid, List<Point> points, Duration back) {
    double[] sums = new double[grid.count()];
    int[] counts = new int[grid.count()];
    for (Point point : points) {
      int index = grid.index(point.at().minus(back));
      if (grid.holds(index)) {
        sums[index] += point.value();
        counts[index]++;
      }
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
    }
    return sums;
  }

  /**
   * Growth of a counter per second in each interval, assumed steady between two readings; unknown
   * where the counter fell, because it restarted.
   */
  static double[] rates(Grid grid, List<Point> points) {
    Duration usual = usualGap(points);
    Duration longest =
        (usual.compareTo(grid.step()) > 0 ? usual : grid.step()).multipliedBy(LONGEST_GAP);
    double[] grown = new double[grid.count()];
    double[] covered = new double[grid.count()];
    for (int i = 1; i < points.size(); i++) {
      Instant from = points.get(i - 1).at();
      Duration gap = Duration.between(from, points.get(i).at());
      double growth = points.get(i).value() - points.get(i - 1).value();
      if (growth >= 0 && !gap.isZero() && gap.compareTo(longest) <= 0) {
        double perSecond = growth / Durations.seconds(gap);
        overlaps(
            grid,
            from,
            gap,
            (index, inside) -> {
              grown[index] += perSecond * inside;
              covered[index] += inside;
            });
      }
    }
    double least = LEAST_COVERED * Durations.seconds(grid.step());
    for (int i = 0; i < grown.length; i++) {
      grown[i] = covered[i] < least ? Double.NaN : grown[i] / covered[i];
    }
    return grown;
  }

  interface Part {
    void of(int index, double seconds);
  }

  /** The seconds of a span in each interval. */
  static void overlaps(Grid grid, Instant start, Duration length, Part part) {
    int first = Math.max(0, grid.index(start));
    int last = Math.min(grid.count() - 1, grid.index(start.plus(length)));
    for (int i = first; i <= last; i++) {
      part.of(i, Durations.seconds(grid.window(i).overlap(start, length)));
    }
  }

  /** Which intervals lie wholly inside a window. */
  static boolean[] inside(Grid grid, Window window) {
    boolean[] inside = new boolean[grid.count()];
    for (int i = 0; i < inside.length; i++) {
      Window interval = grid.window(i);
      inside[i] = !interval.from().isBefore(window.from()) && !interval.to().isAfter(window.to());
    }
    return inside;
  }

  static int known(double[] values) {
    return (int) Arrays.stream(values).filter(value -> !Double.isNaN(value)).count();
  }
}
