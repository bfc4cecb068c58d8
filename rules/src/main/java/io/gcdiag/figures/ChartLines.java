package io.gcdiag.figures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Chart.Line;
import io.gcdiag.figures.Chart.Style;
import io.gcdiag.units.Nanos;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** How evidence becomes lines of a chart. */
final class ChartLines {

  /** Lines of more pools could not be distinguished in a chart. */
  private static final int MOST_EXPORTED = 3;

  /** Dumps are many files; a line names some of them. */
  private static final int MOST_SOURCES = 20;

  private ChartLines() {}

  /** A line of as many points as can be seen. */
  static Line line(String title, Style style, Source source, List<MetricPoint> points) {
    return new Line(title, style, source, PointThinning.thin(points, style));
  }

  /** A line with a point for every piece of evidence. */
  static <T> Line line(
      String title,
      Style style,
      Source source,
      List<T> evidence,
      Function<T, Instant> at,
      ToDoubleFunction<T> value) {
    ChartValues course = ChartValues.of(evidence, any -> source, at, value);
    return new Line(title, style, source, points(course, style));
  }

  /** A line with a point for every one of a course, after the place that gave most of them. */
  static Line line(String title, Style style, ChartValues course) {
    List<Source> sources = sources(course);
    return new Line(
        title, style, sources.get(0), sources.subList(1, sources.size()), points(course, style));
  }

  private static List<MetricPoint> points(ChartValues course, Style style) {
    if (course.size() <= PointThinning.MOST_POINTS) {
      return IntStream.range(0, course.size())
          .mapToObj(
              i ->
                  new MetricPoint(
                      Nanos.instant(course.at().applyAsLong(i)), course.value().applyAsDouble(i)))
          .toList();
    }
    long first = course.at().applyAsLong(0);
    long last = course.at().applyAsLong(course.size() - 1);
    PointThinning thinning = new PointThinning(Nanos.instant(first), Nanos.instant(last), style);
    for (int i = 0; i < course.size(); i++) {
      thinning.add(course.at().applyAsLong(i) - first, course.value().applyAsDouble(i));
    }
    return thinning.points();
  }

  /** Where most of a course was read. */
  static Source mostOf(ChartValues course) {
    return sources(course).get(0);
  }

  /** Where a course was read, those places first that gave most of it. */
  private static List<Source> sources(ChartValues course) {
    Map<Source, Long> counts = new LinkedHashMap<>();
    int i = 0;
    while (i < course.size()) {
      int first = i;
      String file = course.file().apply(i);
      // Of a log nearly all is read in the same file, line by line.
      while (i < course.size()
          && course.line().applyAsLong(i) != Source.NO_LINE
          && course.file().apply(i).equals(file)) {
        i++;
      }
      if (i > first) {
        counts.merge(new Source(file, ""), (long) i - first, Long::sum);
      } else {
        counts.merge(kind(course.source().apply(i++)), 1L, Long::sum);
      }
    }
    return counts.entrySet().stream()
        .sorted(Map.Entry.<Source, Long>comparingByValue().reversed())
        .map(Map.Entry::getKey)
        .limit(MOST_SOURCES)
        .toList();
  }

  /** The gauges of metric exports with that meaning, those with the most points first. */
  static List<Line> exported(Timeline timeline, String title, MetricMeaning meaning) {
    List<MetricSeries> series =
        timeline.metrics(meaning).stream()
            .filter(one -> !one.counter() && !one.points().isEmpty())
            .filter(one -> !isTwice(one, timeline.metrics(meaning)))
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

  /** A saved scrape names no machine: an export of the same meter with more values tells more. */
  private static boolean isTwice(MetricSeries one, List<MetricSeries> all) {
    return one.labelsOfMachine().isEmpty()
        && all.stream()
            .filter(other -> !other.labelsOfMachine().isEmpty())
            .filter(other -> other.name().equals(one.name()))
            .filter(other -> other.labelsButMachine().equals(one.labelsButMachine()))
            .anyMatch(other -> other.points().size() > one.points().size());
  }

  /** The file and the kind of event, without the number of one of them. */
  private static Source kind(Source source) {
    if (source.isLine()) {
      return new Source(source.file(), "");
    }
    String place = source.place();
    int end = place.indexOf(' ');
    return new Source(source.file(), end < 0 ? place : place.substring(0, end));
  }
}
