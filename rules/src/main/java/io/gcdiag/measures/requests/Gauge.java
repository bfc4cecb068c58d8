package io.gcdiag.measures.requests;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A metric that shows a value at the moment of the scrape; changes between two scrapes are lost.
 */
public record Gauge(MetricSeries series) {

  /** The series with the highest values, if several services or connectors have the metric. */
  public static Optional<Gauge> busiest(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics(meaning).stream()
        .max(
            Comparator.comparingDouble(
                    (MetricSeries one) -> one.points().stream().mapToDouble(Point::value).sum())
                .thenComparingInt(one -> one.points().size()))
        .map(Gauge::new);
  }

  /**
   * The series with most values, if several show the same metric, for example a saved scrape and
   * the export of the server that scraped it. They cannot be merged: an export repeats the latest
   * scrape until the next one, so a merged counter would seem to decrease.
   */
  public static MetricSeries densest(Collection<MetricSeries> series) {
    return series.stream()
        .max(Comparator.comparingInt((MetricSeries one) -> one.points().size()))
        .orElseThrow();
  }

  /** The mean over the scrapes inside the window; empty with fewer than three. */
  public OptionalDouble mean(Window window) {
    List<Point> points = Meter.inside(series, window);
    return points.size() < Policy.RECURRING
        ? OptionalDouble.empty()
        : points.stream().mapToDouble(Point::value).average();
  }

  /** The highest value at a scrape inside the window. */
  public OptionalDouble highest(Window window) {
    return Meter.inside(series, window).stream().mapToDouble(Point::value).max();
  }

  /**
   * The highest value to which the metric rose inside the window; empty if it did not rise. A
   * metric such as the maximum over the last minutes still shows the time before the window until
   * it falls.
   */
  public OptionalDouble highestRisen(Window window) {
    List<Point> points = series.points();
    return IntStream.range(1, points.size())
        .filter(i -> window.contains(points.get(i).at()))
        .filter(i -> points.get(i).value() > points.get(i - 1).value())
        .mapToDouble(i -> points.get(i).value())
        .max();
  }

  /** The value of the last scrape until then; not a number before the first one. */
  public double at(Instant at) {
    return series.points().stream()
        .takeWhile(point -> !point.at().isAfter(at))
        .mapToDouble(Point::value)
        .reduce(Double.NaN, (earlier, later) -> later);
  }

  public double[] values(Window window) {
    return Meter.inside(series, window).stream().mapToDouble(Point::value).toArray();
  }

  public Source source() {
    return series.source();
  }
}
