package io.gcdiag.queueing;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Several runs of one model, to tell a result from its luck.
 *
 * @param runs at least one
 */
public record PoolRuns(List<PoolRun> runs) {

  /**
   * @throws IllegalArgumentException if there are no runs
   */
  public PoolRuns {
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("runs must not be empty");
    }
  }

  /**
   * A figure over all runs, in the unit of the figure.
   *
   * @param mean its mean
   * @param standardDeviation its standard deviation from run to run, n - 1 in the denominator; 0
   *     for a single run, which cannot show any
   * @param min its smallest value
   * @param max its largest value
   */
  public record Spread(double mean, double standardDeviation, double min, double max) {}

  /** The spread of any figure, for example {@code of(PoolRun::longestLine)}. */
  public Spread of(ToDoubleFunction<PoolRun> figure) {
    double[] values = runs.stream().mapToDouble(figure).toArray();
    double sum = 0;
    double min = values[0];
    double max = values[0];
    for (double value : values) {
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    double mean = sum / values.length;
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double deviation = values.length == 1 ? 0 : Math.sqrt(squares / (values.length - 1));
    return new Spread(mean, deviation, min, max);
  }

  /** The spread of a time in seconds, for example {@code ofSeconds(r -> r.waits().total())}. */
  public Spread ofSeconds(Function<PoolRun, Duration> figure) {
    return of(run -> Checks.seconds(figure.apply(run)));
  }
}
