package io.gcdiag.figures;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Charts.PointThinning;
import io.gcdiag.figures.Metric.Unit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Figures over time that belong together, ready to be drawn.
 *
 * @param id for links and machines: {@code heap}, {@code pauses}
 * @param title for people
 * @param unit of all its lines
 * @param metrics beginnings of the names of the metrics that this chart shows over time
 * @param lines what is drawn, most telling first; at least one
 */
public record Chart(String id, String title, Unit unit, List<String> metrics, List<Line> lines) {

  public Chart {
    metrics = List.copyOf(metrics);
    lines = List.copyOf(lines);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("a chart without lines: " + id);
    }
  }

  /** How a line is drawn. */
  public enum Style {
    /** From point to point. */
    LINE,
    /** Each value holds until the next point. */
    STEPS,
    /** A bar from zero to each point: what happens at one instant. */
    BARS,
    /** A part of a bar, on top of the lines before: what was seen at one instant. */
    STACKED,
    /** A row of cells, darker for more: each is as long as it is until the next point. */
    CELLS
  }

  /**
   * One line.
   *
   * @param title for the legend
   * @param style how it is drawn
   * @param source where the values were read, or most of them
   * @param others where the rest was read, such as a log beside a recording
   * @param points by time; at most {@link PointThinning#MOST_POINTS}
   */
  public record Line(
      String title, Style style, Source source, List<Source> others, List<MetricPoint> points) {

    /** A line that was read at one place. */
    public Line(String title, Style style, Source source, List<MetricPoint> points) {
      this(title, style, source, List.of(), points);
    }

    public Line {
      others = List.copyOf(others);
      points = List.copyOf(points);
    }

    /** The highest value inside the window; what a line has shown last holds on. */
    public OptionalDouble highest(Window window) {
      OptionalDouble inside =
          points.stream()
              .filter(point -> window.contains(point.at()))
              .mapToDouble(MetricPoint::value)
              .max();
      return inside.isPresent() || style == Style.BARS
          ? inside
          : points.stream()
              .filter(point -> point.at().isBefore(window.from()))
              .mapToDouble(MetricPoint::value)
              .reduce((earlier, later) -> later);
    }
  }

  /**
   * What may become a chart.
   *
   * @param id as in {@link Chart}
   * @param title as in {@link Chart}
   * @param unit as in {@link Chart}
   * @param metrics as in {@link Chart}
   * @param lines perhaps none, perhaps without points
   */
  record Draft(String id, String title, Unit unit, List<String> metrics, List<Line> lines) {

    /** The chart of those lines that have points; absent if none has. */
    Optional<Chart> chart() {
      List<Line> drawn = lines.stream().filter(line -> !line.points().isEmpty()).toList();
      return drawn.isEmpty()
          ? Optional.empty()
          : Optional.of(new Chart(id, title, unit, metrics, drawn));
    }
  }

  /** Whether this chart shows over time what the metric sums up. */
  public boolean shows(Metric metric) {
    return metrics.stream().anyMatch(metric.name()::startsWith);
  }

  /** Whether a line of this chart was read at the same place of the same file. */
  public boolean shows(Source source) {
    return lines.stream()
        .flatMap(line -> Stream.concat(Stream.of(line.source()), line.others().stream()))
        .anyMatch(own -> own.file().equals(source.file()) && samePlace(own, source));
  }

  /**
   * The place of a source begins with the kind of event; what follows names one of them. A line of
   * a log is one of the events that make up a line of the chart.
   */
  private static boolean samePlace(Source own, Source other) {
    String place = other.place();
    boolean lineOfLog = !place.isEmpty() && Character.isDigit(place.charAt(0));
    return place.equals(own.place())
        || own.place().isEmpty() && lineOfLog
        || !own.place().isEmpty() && place.startsWith(own.place() + " ");
  }

  /**
   * A value at an instant.
   *
   * @param value finite
   */
  public record MetricPoint(Instant at, double value) {

    public MetricPoint {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("not a finite value: " + value);
      }
    }
  }
}
