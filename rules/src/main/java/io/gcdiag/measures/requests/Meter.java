package io.gcdiag.measures.requests;

import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** What one series of a metric export says of a stretch of time. */
public final class Meter {

  private Meter() {}

  /** Its values inside the window, by time. */
  public static List<Point> inside(MetricSeries series, Window window) {
    return series.points().stream().filter(point -> window.contains(point.at())).toList();
  }

  /** What a counter grew by between the first and the last scrape inside the window. */
  public static OptionalDouble grown(MetricSeries series, Window window) {
    List<Point> points = inside(series, window);
    if (points.size() < 2) {
      return OptionalDouble.empty();
    }
    double grown = 0;
    for (int i = 1; i < points.size(); i++) {
      // Where it fell, the service was started anew: only what it counted since then is known.
      double step = points.get(i).value() - points.get(i - 1).value();
      grown += step >= 0 ? step : points.get(i).value();
    }
    return OptionalDouble.of(grown);
  }

  /** The same by the second, between these two scrapes. */
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

  /** The stretches between two scrapes, each from the one to the other. */
  public static List<Window> stretches(MetricSeries series) {
    List<Point> points = series.points();
    // A window ends before its last instant.
    return IntStream.range(1, points.size())
        .mapToObj(i -> new Window(points.get(i - 1).at(), points.get(i).at().plusMillis(1)))
        .toList();
  }
}
