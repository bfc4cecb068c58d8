package io.gcdiag.figures;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One figure before and during the incident.
 *
 * @param name for machines, such as {@code gc.pause.sum}
 * @param title for people
 * @param unit of the values
 * @param baseline the figure in the baseline window
 * @param incident the figure in the incident window
 * @param baselineRange the range of the former, for a figure that is measured in ranges; it may be
 *     all that is known of it
 * @param incidentRange the range of the latter
 * @param ofWholeTest whether the figure stands for a whole load test, which may hold both windows
 * @param source where it was read, for people
 */
public record Metric(
    String name,
    String title,
    Unit unit,
    OptionalDouble baseline,
    OptionalDouble incident,
    Optional<Range> baselineRange,
    Optional<Range> incidentRange,
    boolean ofWholeTest,
    String source) {

  /** A figure that is known as a number, or not at all. */
  public Metric(
      String name,
      String title,
      Unit unit,
      OptionalDouble baseline,
      OptionalDouble incident,
      String source) {
    this(name, title, unit, baseline, incident, Optional.empty(), Optional.empty(), false, source);
  }

  static Metric ofWholeTest(String name, String title, Unit unit, double value, String source) {
    OptionalDouble one = OptionalDouble.of(value);
    return new Metric(
        name,
        title,
        unit,
        OptionalDouble.empty(),
        one,
        Optional.empty(),
        Optional.empty(),
        true,
        source);
  }

  /**
   * What is known of a figure that is no number, such as a percentile of a coarse histogram.
   *
   * @param atLeast it is more than this
   * @param atMost it is not more than this; absent beyond the histogram's last bucket
   */
  public record Range(double atLeast, OptionalDouble atMost) {

    /** Whether all of it lies above all of the other. */
    public boolean isAbove(Range other) {
      return other.atMost().isPresent() && atLeast >= other.atMost().getAsDouble();
    }
  }

  public enum Unit {
    NANOSECONDS("ns"),
    BYTES("bytes"),
    BYTES_PER_SECOND("bytes/s"),
    COUNT("count"),
    PER_SECOND("1/s"),
    PER_MINUTE("1/min"),
    /** A share, 1 being the whole. */
    RATIO("ratio"),
    THREADS("threads");

    private final String id;

    Unit(String id) {
      this.id = id;
    }

    /** The name used in machine-readable output. */
    public String id() {
      return id;
    }
  }
}
