package io.gcdiag.diagnosis;

import static java.util.stream.Collectors.counting;

import io.gcdiag.diagnosis.Chart.Line;
import io.gcdiag.diagnosis.Chart.Style;
import io.gcdiag.evidence.LazyList;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.Timeline;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** How evidence becomes lines of a chart. */
final class ChartLines {

  /** Pools beyond these few would not be told apart in a chart. */
  private static final int MOST_EXPORTED = 3;

  private ChartLines() {}

  /** A line of as many points as can be seen. */
  static Line line(String title, Style style, Source source, List<MetricPoint> points) {
    return new Line(title, style, source, Thinning.thin(points, style));
  }

  /** A line with a point for every piece of evidence. */
  static <T> Line line(
      String title,
      Style style,
      Source source,
      List<T> evidence,
      Function<T, Instant> at,
      ToDoubleFunction<T> value) {
    return line(
        title,
        style,
        source,
        LazyList.of(
            evidence.size(),
            i -> new MetricPoint(at.apply(evidence.get(i)), value.applyAsDouble(evidence.get(i)))));
  }

  /** The gauges of metric exports with that meaning, those with the most points first. */
  static List<Line> exported(Timeline timeline, String title, MetricMeaning meaning) {
    List<MetricSeries> series =
        timeline.metrics(meaning).stream()
            .filter(one -> !one.counter() && !one.points().isEmpty())
            .sorted(Comparator.comparingInt((MetricSeries one) -> -one.points().size()))
            .limit(MOST_EXPORTED)
            .toList();
    return series.stream()
        .map(
            one ->
                line(
                    series.size() == 1 || one.labels().isEmpty()
                        ? title
                        : title + " " + String.join(" ", one.labels().values()),
                    Style.LINE,
                    one.source(),
                    one.points(),
                    MetricSeries.Point::at,
                    MetricSeries.Point::value))
        .toList();
  }

  /**
   * Where most of the evidence was read: a log that began before the recording gives the first
   * points of a line, and the recording the rest.
   */
  static <T> Source mostOf(List<T> evidence, Function<T, Source> source) {
    Map<Source, Long> counts =
        evidence.stream()
            .map(one -> kind(source.apply(one)))
            .collect(Collectors.groupingBy(kind -> kind, LinkedHashMap::new, counting()));
    return Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  /** The file and the kind of event, without the number of one of them. */
  private static Source kind(Source source) {
    String place = source.place();
    boolean isLine = !place.isEmpty() && Character.isDigit(place.charAt(0));
    int end = place.indexOf(' ');
    return new Source(source.file(), isLine ? "" : end < 0 ? place : place.substring(0, end));
  }
}
