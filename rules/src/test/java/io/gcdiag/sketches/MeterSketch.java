package io.gcdiag.sketches;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.time.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Series of a service's own meters, scraped every ten seconds from the start on. */
public final class MeterSketch {

  private MeterSketch() {}

  /** A counter. */
  public static MetricSeries counter(String name, MetricMeaning meaning, double... values) {
    return series(name, meaning, true, values);
  }

  /** A gauge. */
  public static MetricSeries gauge(String name, MetricMeaning meaning, double... values) {
    return series(name, meaning, false, values);
  }

  private static MetricSeries series(
      String name, MetricMeaning meaning, boolean counter, double... values) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      points.add(new Point(IncidentBuilder.at(10.0 * i), values[i]));
    }
    return new MetricSeries(
        name, new TreeMap<>(), meaning, counter, points, new Source("metrics.json", name));
  }
}
