package io.gcdiag.cli.report;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A chart of values over time.
 *
 * @param id under which other places point to it
 * @param title for people
 * @param unit of the values: {@code ns}, {@code bytes}, {@code bytes/s}, {@code 1/s}, {@code
 *     ratio}, {@code count}, {@code threads}
 * @param told the places in the report that are about what it shows
 * @param telling the one line to show where there is room for one, under a title of its own; none
 *     if nothing worth a line happened
 */
public record Plot(
    String id,
    String title,
    String unit,
    List<Trace> traces,
    List<Cell> told,
    Optional<Trace> telling) {

  public Plot {
    title = SafeText.clean(title);
  }

  /** How a line is drawn. */
  public enum Shape {
    /** From point to point. */
    LINE,
    /** Each value holds until the next. */
    STEPS,
    BARS,
    /** A part of a bar, on top of the lines before. */
    STACKED,
    /** A row of cells, darker for more. */
    CELLS
  }

  /**
   * One line.
   *
   * @param title for the legend
   * @param shape how it is drawn
   * @param source where it was read
   * @param gist what it shows, in words, for those who cannot see it; absent if nothing of it is in
   *     the windows
   * @param points by time
   */
  public record Trace(
      String title, Shape shape, Cell source, Optional<String> gist, List<Point> points) {
    /** Cleans the texts and copies the points. */
    public Trace {
      title = SafeText.clean(title);
      gist = gist.map(SafeText::clean);
    }

    public Trace titled(String other) {
      return new Trace(other, shape, source, gist, points);
    }
  }

  /**
   * A value at an instant.
   *
   * @param value in the unit of the chart
   */
  public record Point(Instant at, double value) {}

  /**
   * A span that stands out.
   *
   * @param title for people
   * @param tone how it is meant
   */
  public record Mark(String title, Instant from, Instant to, Tone tone) {}
}
