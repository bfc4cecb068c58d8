package io.gcdiag.stats;

import io.gcdiag.units.Halving;
import org.apache.commons.math3.distribution.BetaDistribution;

/**
 * What a number of rare events, counted once, says of how many will be counted in as much time
 * again. Both counts are Poisson with the same mean, of which Jeffreys' prior is all that is known
 * beforehand (H. Jeffreys, An invariant form for the prior probability in estimation problems,
 * 1946); the second count then has a negative binomial distribution.
 *
 * @param expected its mean
 * @param atLeast the lower end of its central interval of 95 %
 * @param atMost the upper end
 */
public record EventCount(double expected, long atLeast, long atMost) {

  /** Jeffreys' prior counts as half an event. */
  private static final double PRIOR = 0.5;

  private static final double LOWER = 0.025;
  private static final double UPPER = 0.975;

  /** Of the same length, each of two stretches of time has half of all events. */
  private static final double HALF = 0.5;

  /**
   * For a number of events counted.
   *
   * @param counted 0 or more
   */
  public static EventCount of(long counted) {
    double shape = counted + PRIOR;
    return new EventCount(shape, quantile(shape, LOWER), quantile(shape, UPPER));
  }

  /** The smallest count that is not exceeded with that probability. */
  private static long quantile(double shape, double probability) {
    long most = 1;
    while (notMoreThan(most, shape) < probability) {
      most *= 2;
    }
    return Halving.first(0, most, count -> notMoreThan(count, shape) >= probability);
  }

  private static double notMoreThan(long count, double shape) {
    return new BetaDistribution(null, shape, count + 1.0).cumulativeProbability(HALF);
  }
}
