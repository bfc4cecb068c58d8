package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.figures.Chart.MetricPoint;
import io.gcdiag.figures.Chart.Style;
import io.gcdiag.figures.Charts.PointThinning;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PointThinningTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  /** An hour in steps of 100 ms: 36,000 points of value 1, with one peak and one trough. */
  private static List<MetricPoint> hour() {
    return IntStream.range(0, 36_000)
        .mapToObj(
            i ->
                new MetricPoint(
                    START.plusMillis(100L * i), i == 12_345 ? 99 : i == 23_456 ? -7 : 1))
        .toList();
  }

  @Test
  void fewPointsStayAsTheyAre() {
    List<MetricPoint> points = hour().subList(0, PointThinning.MOST_POINTS);
    assertSame(points, PointThinning.thin(points, Style.LINE));
  }

  @Test
  void peaksAndTroughsStayAtTheirOwnTimes() {
    List<MetricPoint> left = PointThinning.thin(hour(), Style.LINE);
    assertTrue(left.size() <= PointThinning.MOST_POINTS, left.size() + " points");
    assertTrue(left.contains(new MetricPoint(START.plusMillis(1_234_500), 99)));
    assertTrue(left.contains(new MetricPoint(START.plusMillis(2_345_600), -7)));
    assertEquals(left.stream().map(MetricPoint::at).sorted().toList(), times(left));
  }

  @Test
  void ofBarsOnlyTheHighestOfEachSliceIsSeen() {
    List<MetricPoint> left = PointThinning.thin(hour(), Style.BARS);
    assertEquals(PointThinning.MOST_POINTS, left.size());
    assertEquals(1, left.stream().filter(point -> point.value() == 99).count());
  }

  private static List<Instant> times(List<MetricPoint> points) {
    return points.stream().map(MetricPoint::at).toList();
  }
}
