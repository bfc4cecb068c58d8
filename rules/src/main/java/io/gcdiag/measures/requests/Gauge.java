package io.gcdiag.measures.requests;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A meter that shows the value of a moment: what happens between two scrapes is not in it.
 *
 * @param series its values
 */
public record Gauge(MetricSeries series) {

  /** Of several services or connectors the one with the highest values. */
  public static Optional<Gauge> busiest(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics(meaning).stream()
        .filter(one -> !one.points().isEmpty())
        .max(
            Comparator.comparingDouble(
                    (MetricSeries one) -> one.points().stream().mapToDouble(Point::value).sum())
                .thenComparingInt(one -> one.points().size()))
        .map(Gauge::new);
  }

  /**
   * Of several series of one meter, such as a scrape that was saved and the export of the server
   * that scraped it, the one with most values. Together they would not do: an export repeats the
   * latest scrape until the next, so that a counter would seem to fall.
   */
  public static MetricSeries densest(Collection<MetricSeries> series) {
    return series.stream()
        .max(Comparator.comparingInt((MetricSeries one) -> one.points().size()))
        .orElseThrow();
  }

  /** The mean over the scrapes inside the window; of fewer than three there is none. */
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
   * The highest value to which it rose inside the window. A meter of the longest of the last
   * minutes shows what was before the window until that has passed; empty if it did not rise.
   */
  public OptionalDouble highestRisen(Window window) {
    List<Point> points = series.points();
    return IntStream.range(1, points.size())
        .filter(i -> window.contains(points.get(i).at()))
        .filter(i -> points.get(i).value() > points.get(i - 1).value())
        .mapToDouble(i -> points.get(i).value())
        .max();
  }

  /** The values of all scrapes inside the window. */
  public double[] values(Window window) {
    return Meter.inside(series, window).stream().mapToDouble(Point::value).toArray();
  }

  /** Where it was read. */
  public Source source() {
    return series.source();
  }
}
