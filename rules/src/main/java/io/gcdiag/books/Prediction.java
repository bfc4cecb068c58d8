package io.gcdiag.books;

import io.gcdiag.units.Estimate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Value of one figure after one change.
 *
 * @param hypothesis the root cause that the change removes
 * @param change what is changed, for people
 * @param now the figure in the incident, in the quantity's unit; empty if unknown
 * @param range the predicted range, which reports state as the {@linkplain Estimate#stated() 80 %
 *     range}; empty if the inputs do not allow a prediction
 * @param basis what the range is derived from, or why there is none; one sentence without its full
 *     stop
 * @param assumptions what must hold for it
 */
public record Prediction(
    Hypothesis hypothesis,
    String change,
    Quantity quantity,
    OptionalDouble now,
    Optional<Estimate> range,
    String basis,
    List<String> assumptions) {

  public Prediction {
    assumptions = List.copyOf(assumptions);
  }

  public Prediction withRange(Optional<Estimate> other) {
    return new Prediction(hypothesis, change, quantity, now, other, basis, assumptions);
  }

  /** What can be predicted. */
  public enum Quantity {
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
}
