package io.gcdiag.figures;

import io.gcdiag.figures.Chart.Style;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves so many points that a line looks the same. The span is cut into equal slices, of which
 * each keeps its highest and its lowest point at their own times: peaks are what a reader looks
 * for, and a mean would hide them. Points are taken one by one, by time: a log may have a million.
 */
final class PointThinning {

  /**
   * Twice the width in pixels at which charts are drawn: more cannot be seen, and a report of an
   * hour stays small enough to be mailed.
   */
  static final int MOST_POINTS = 2_000;

  private final int kept;
  private final int slices;
  private final Instant first;
  private final long nanos;
  private final List<MetricPoint> left = new ArrayList<>();
  private final List<MetricPoint> few = new ArrayList<>();
  private long current;
  private int size;
  private long highestAt;
  private double highest;
  private long lowestAt;
  private double lowest;

  /** Thins the points between two instants. */
  PointThinning(Instant first, Instant last, Style style) {
    // Of what happens at one instant only the highest is seen: bars begin at zero.
    this.kept = style == Style.BARS ? 1 : 2;
    this.slices = MOST_POINTS / kept;
    this.first = first;
    this.nanos = Duration.between(first, last).toNanos() + 1;
  }

  /** The points that matter, by time. */
  static List<MetricPoint> thin(List<MetricPoint> points, Style style) {
    if (points.size() <= MOST_POINTS) {
      return points;
    }
    PointThinning thinning =
        new PointThinning(points.get(0).at(), points.get(points.size() - 1).at(), style);
    points.forEach(thinning::add);
    return thinning.points();
  }

  /** Takes the next point. */
  void add(MetricPoint point) {
    add(Duration.between(first, point.at()).toNanos(), point.value());
  }

  /** Takes the next point, which lies so many nanoseconds after the first. */
  void add(long sinceFirst, double value) {
    long slice = (long) ((double) sinceFirst / nanos * slices);
    if (slice != current) {
      keep();
      current = slice;
    }
    if (size == 0 || value > highest) {
      highest = value;
      highestAt = sinceFirst;
    }
    if (size == 0 || value < lowest) {
      lowest = value;
      lowestAt = sinceFirst;
    }
    if (size < kept) {
      few.add(point(sinceFirst, value));
    }
    size++;
  }

  private MetricPoint point(long sinceFirst, double value) {
    return new MetricPoint(first.plusNanos(sinceFirst), value);
  }

  /** What is left of the points taken. */
  List<MetricPoint> points() {
    keep();
    return left;
  }

  private void keep() {
    if (size <= kept) {
      left.addAll(few);
    } else if (kept == 1) {
      left.add(point(highestAt, highest));
    } else {
      boolean lowestFirst = lowestAt < highestAt;
      left.add(lowestFirst ? point(lowestAt, lowest) : point(highestAt, highest));
      left.add(lowestFirst ? point(highestAt, highest) : point(lowestAt, lowest));
    }
    few.clear();
    size = 0;
  }
}
