package io.gcdiag.measures.requests;

import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Values of a metric series in a stretch of time. */
public final class Meter {

  private Meter() {}

  public static List<Point> inside(MetricSeries series, Window window) {
    return series.points().stream().filter(point -> window.contains(point.at())).toList();
  }

  /** Growth of a counter between the first and the last scrape inside the window. */
  public static OptionalDouble grown(MetricSeries series, Window window) {
    List<Point> points = inside(series, window);
    if (points.size() < 2) {
      return OptionalDouble.empty();
    }
    double grown = 0;
    for (int i = 1; i < points.size(); i++) {
      // A counter that decreases was reset by a restart of the service; only the count since then
      // is known.
      double step = points.get(i).value() - points.get(i - 1).value();
      grown += step >= 0 ? step : points.get(i).value();
    }
    return OptionalDouble.of(grown);
  }

  /** Growth per second between these two scrapes. */
  public static OptionalDouble perSecond(MetricSeries series, Window window) {
    List<Point> points = inside(series, window);
    OptionalDouble grown = grown(series, window);
    return grown.isEmpty()
        ? grown
        : OptionalDouble.of(
            grown.getAsDouble()
                / Durations.seconds(
                    Duration.between(points.get(0).at(), points.get(points.size() - 1).at())));
  }

  /** The intervals between consecutive scrapes. */
  public static List<Window> stretches(MetricSeries series) {
    List<Point> points = series.points();
    // A window ends before its last instant.
    return IntStream.range(1, points.size())
        .mapToObj(i -> new Window(points.get(i - 1).at(), points.get(i).at().plusMillis(1)))
        .toList();
  }
}
