package io.gcdiag.diagnosis;

import io.gcdiag.diagnosis.Chart.Style;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Leaves so many points that a line looks the same. The span is cut into equal slices, of which
 * each keeps its highest and its lowest point at their own times: peaks are what a reader looks
 * for, and a mean would hide them.
 */
final class Thinning {

  /**
   * Twice the width in pixels at which charts are drawn: more cannot be seen, and a report of an
   * hour stays small enough to be mailed.
   */
  static final int MOST_POINTS = 2_000;

  private static final Comparator<MetricPoint> BY_VALUE =
      Comparator.comparingDouble(MetricPoint::value);

  private Thinning() {}

  /** The points that matter, by time. */
  static List<MetricPoint> thin(List<MetricPoint> points, Style style) {
    if (points.size() <= MOST_POINTS) {
      return points;
    }
    // Of what happens at one instant only the highest is seen: bars begin at zero.
    int kept = style == Style.BARS ? 1 : 2;
    int slices = MOST_POINTS / kept;
    Instant first = points.get(0).at();
    long nanos = Duration.between(first, points.get(points.size() - 1).at()).toNanos() + 1;
    List<MetricPoint> left = new ArrayList<>();
    List<MetricPoint> slice = new ArrayList<>();
    long current = 0;
    for (MetricPoint point : points) {
      long at = (long) ((double) Duration.between(first, point.at()).toNanos() / nanos * slices);
      if (at != current) {
        keep(slice, kept, left);
        slice.clear();
        current = at;
      }
      slice.add(point);
    }
    keep(slice, kept, left);
    return left;
  }

  private static void keep(List<MetricPoint> slice, int kept, List<MetricPoint> into) {
    if (slice.size() <= kept) {
      into.addAll(slice);
      return;
    }
    MetricPoint highest = slice.stream().max(BY_VALUE).orElseThrow();
    if (kept == 1) {
      into.add(highest);
      return;
    }
    MetricPoint lowest = slice.stream().min(BY_VALUE).orElseThrow();
    boolean lowestFirst = lowest.at().isBefore(highest.at());
    into.add(lowestFirst ? lowest : highest);
    into.add(lowestFirst ? highest : lowest);
  }
}
