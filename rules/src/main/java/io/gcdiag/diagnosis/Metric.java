package io.gcdiag.diagnosis;

import java.util.OptionalDouble;

/**
 * One figure before and during the incident.
 *
 * @param name for machines, such as {@code gc.pause.sum}
 * @param title for people
 * @param unit of the values
 * @param baseline the figure in the baseline window
 * @param incident the figure in the incident window
 * @param source where it was read, for people
 */
public record Metric(
    String name,
    String title,
    Unit unit,
    OptionalDouble baseline,
    OptionalDouble incident,
    String source) {

  /** Units of metrics. */
  public enum Unit {
    /** Nanoseconds. */
    NANOSECONDS("ns"),
    /** Bytes. */
    BYTES("bytes"),
    /** Bytes per second. */
    BYTES_PER_SECOND("bytes/s"),
    /** A plain number. */
    COUNT("count"),
    /** Events per second. */
    PER_SECOND("1/s"),
    /** Events per minute. */
    PER_MINUTE("1/min"),
    /** A share, 1 being the whole. */
    RATIO("ratio"),
    /** Threads, on average. */
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
