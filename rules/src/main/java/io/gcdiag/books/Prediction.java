package io.gcdiag.books;

import io.gcdiag.stats.NormalLevel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one figure would be after one change.
 *
 * @param hypothesis the root cause that the change removes
 * @param change what is changed, for people
 * @param quantity what is predicted
 * @param now the figure in the incident, in the quantity's unit; absent where it is not known
 * @param range where the figure would lie; absent where the inputs do not carry a prediction
 * @param basis what the range follows from, or why there is none; one sentence without its full
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

  /** Copies the list. */
  public Prediction {
    assumptions = List.copyOf(assumptions);
  }

  /** The same with another range. */
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
   * From where to where a figure would lie.
   *
   * <p>Models give the ends with each of their errors at the worse end of its 95 % interval. What
   * is stated to users is the part {@linkplain #stated() that holds 80 %}.
   *
   * @param low the least, 0 or more
   * @param high the most, at least {@code low}
   * @param middle the likeliest value, between the two
   */
  public record Range(double low, double high, double middle) {

    /** How far the ends of 80 % are from the likeliest value, if those of 95 % are 1 from it. */
    private static final double OF_STATED = NormalLevel.ratio(0.8, 0.95);

    /** The same of a range from 0, below which nothing lies: a fifth may be above its high end. */
    private static final double OF_STATED_FROM_ZERO = NormalLevel.ratio(0.6, 0.95);

    /**
     * @throws IllegalArgumentException if the bounds are no range, or the middle is not in it
     */
    public Range {
      if (!(low >= 0 && high >= low && Double.isFinite(high) && middle >= low && middle <= high)) {
        throw new IllegalArgumentException("not a range: " + low + " to " + high + " by " + middle);
      }
    }

    /** Bounds that are factors have their middle between them by factor. */
    public Range(double low, double high) {
      this(
          low,
          high,
          low > 0 ? Math.max(low, Math.min(high, Math.sqrt(low * high))) : (low + high) / 2);
    }

    /**
     * The part that holds 80 %, by a log-normal error around the likeliest value; nothing is as
     * near as before where nothing may be left.
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

    /** The part of it up to a value; the least of it if all is above. */
    public Range upTo(double most) {
      double end = Math.max(low, Math.min(high, most));
      return new Range(low, end, Math.min(middle, end));
    }

    public static Range of(double one, double other) {
      return new Range(Math.max(0, Math.min(one, other)), Math.max(0, Math.max(one, other)));
    }
  }
}
