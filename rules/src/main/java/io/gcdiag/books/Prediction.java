package io.gcdiag.books;

import io.gcdiag.stats.NormalLevel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Value of one figure after one change.
 *
 * @param hypothesis the root cause that the change removes
 * @param change what is changed, for people
 * @param quantity what is predicted
 * @param now the figure in the incident, in the quantity's unit; empty if unknown
 * @param range the predicted range; empty if the inputs do not allow a prediction
 * @param basis what the range is derived from, or why there is none; one sentence without its full
 *     stop
 * @param assumptions what must hold for it
 */
public record Prediction(
    Hypothesis hypothesis,
    String change,
    Quantity quantity,
    OptionalDouble now,
    Optional<Range> range,
    String basis,
    List<String> assumptions) {

  public Prediction {
    assumptions = List.copyOf(assumptions);
  }

  public Prediction withRange(Optional<Range> other) {
    return new Prediction(hypothesis, change, quantity, now, other, basis, assumptions);
  }

  /** What can be predicted. */
  public enum Quantity {
    /** Collections per minute. */
    COLLECTIONS("collections-per-minute", "Collections per minute"),
    /** Share of the time in which the application is stopped for collections, 0 to 1. */
    STOPPED("stopped-share", "Share of time stopped"),
    /** The 99th percentile of a request's latency, in nanoseconds. */
    LATENCY_P99("latency.p99", "P99 latency"),
    /** The 99th percentile of the wait for a connection or thread, in nanoseconds. */
    WAIT_P99("wait.p99", "P99 wait");

    private final String id;
    private final String title;

    Quantity(String id, String title) {
      this.id = id;
      this.title = title;
    }

    /** The name used in machine-readable output. */
    public String id() {
      return id;
    }

    /** The name for people. */
    public String title() {
      return title;
    }
  }

  /**
   * The predicted range of a figure.
   *
   * <p>Models compute the bounds with each of their errors at the worse end of its 95 % interval.
   * Reports state the {@linkplain #stated() 80 % range}.
   *
   * @param low lower bound, at least 0
   * @param high upper bound, at least {@code low}
   * @param middle most likely value, between the two
   */
  public record Range(double low, double high, double middle) {

    /**
     * Distance of the 80 % bounds from the most likely value, if the 95 % bounds are at distance 1.
     */
    private static final double OF_STATED = NormalLevel.ratio(0.8, 0.95);

    /** The same for a range that begins at 0: 80 % lie below its upper bound. */
    private static final double OF_STATED_FROM_ZERO = NormalLevel.ratio(0.6, 0.95);

    /**
     * @throws IllegalArgumentException if the bounds are no range, or the middle is not in it
     */
    public Range {
      if (!(low >= 0 && high >= low && Double.isFinite(high) && middle >= low && middle <= high)) {
        throw new IllegalArgumentException("not a range: " + low + " to " + high + " by " + middle);
      }
    }

    /** A range whose bounds are factors: the middle is their geometric mean. */
    public Range(double low, double high) {
      this(
          low,
          high,
          low > 0 ? Math.max(low, Math.min(high, Math.sqrt(low * high))) : (low + high) / 2);
    }

    /**
     * The 80 % range for a log-normal error around the most likely value. If the lower bound is 0
     * it remains 0.
     */
    public Range stated() {
      double part = low > 0 ? OF_STATED : OF_STATED_FROM_ZERO;
      return middle > 0
          ? new Range(
              Math.min(middle, middle * Math.pow(low / middle, part)),
              Math.max(middle, middle * Math.pow(high / middle, part)),
              middle)
          : new Range(low, high * part, middle);
    }

    /** The range limited to a largest value; its lower bound if all of it is above. */
    public Range upTo(double most) {
      double end = Math.max(low, Math.min(high, most));
      return new Range(low, end, Math.min(middle, end));
    }

    public static Range of(double one, double other) {
      return new Range(Math.max(0, Math.min(one, other)), Math.max(0, Math.max(one, other)));
    }
  }
}
