package io.gcdiag.figures;

import io.gcdiag.evidence.time.Source;
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
 * @param source where it was read
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
    Origin source) {

  /** A figure that is known as a number, or not at all. */
  public Metric(
      String name,
      String title,
      Unit unit,
      OptionalDouble baseline,
      OptionalDouble incident,
      Origin source) {
    this(name, title, unit, baseline, incident, Optional.empty(), Optional.empty(), false, source);
  }

  /** Where a figure was read: a place, or an event that any recording may have; and more words. */
  public record Origin(Optional<Source> source, String event, String more) {

    static Origin of(Source source) {
      return of(source, "");
    }

    static Origin of(Source source, String more) {
      return new Origin(Optional.of(source), "", more);
    }

    /** Empty without a source. */
    static Origin of(Optional<Source> source, String more) {
      return new Origin(source, "", source.isPresent() ? more : "");
    }

    public static Origin words(String words) {
      return new Origin(Optional.empty(), "", words);
    }

    Origin and(String other) {
      return new Origin(source, event, more + other);
    }

    public boolean isAt(Source place) {
      return source.filter(place::equals).isPresent();
    }

    /** Whether it was read in that file. */
    public boolean isOf(String file) {
      return source.filter(known -> known.file().equals(file)).isPresent();
    }

    /** The same, without the file. */
    public String within() {
      return source.map(Source::place).orElse("") + event + more;
    }

    @Override
    public String toString() {
      return source.map(Source::toString).orElse("") + event + more;
    }
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
