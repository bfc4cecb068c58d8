package io.gcdiag.stats;

import java.util.Arrays;
import java.util.OptionalDouble;
import org.apache.commons.math3.util.KthSelector;

/**
 * Quantiles by linear interpolation between order statistics: type 7 of R. J. Hyndman and Y. Fan,
 * "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996).
 *
 * <p>With the values sorted as x[0] to x[n-1], the quantile p stands at position p (n - 1), and a
 * position between two values is interpolated. This definition is chosen because load generators
 * and statistics packages report percentiles by it, so that figures of different sources can be
 * compared; it gives the minimum for 0, the maximum for 1 and the usual median for 0.5. In a small
 * sample a high quantile is little more than the maximum: the count belongs next to it.
 */
public final class Quantiles {

  private static final double MIDDLE = 0.5;

  private Quantiles() {}

  /**
   * The quantile of unsorted values.
   *
   * @param values finite numbers in any order; not changed
   * @param fraction which quantile, 0 to 1, for example 0.99
   * @return the quantile in the unit of the values; empty if there are no values
   * @throws IllegalArgumentException if the fraction is out of range or a value is not finite
   */
  public static OptionalDouble of(double[] values, double fraction) {
    double[] sorted = Checks.allFinite(values.clone(), "values");
    Arrays.sort(sorted);
    return ofSorted(sorted, fraction);
  }

  /**
   * The median, found without sorting all: for hundreds of thousands of values.
   *
   * @param values finite numbers in any order, which is changed
   */
  static OptionalDouble median(double[] values) {
    if (values.length == 0) {
      return OptionalDouble.empty();
    }
    KthSelector selector = new KthSelector();
    double above = selector.select(values, null, values.length / 2);
    if (values.length % 2 == 1) {
      return OptionalDouble.of(above);
    }
    double below = selector.select(values, null, values.length / 2 - 1);
    return OptionalDouble.of(below + MIDDLE * (above - below));
  }

  /**
   * The quantile of values that are sorted already, in constant time.
   *
   * @param sorted finite numbers in ascending order; the order is not checked
   * @param fraction which quantile, 0 to 1
   * @return the quantile in the unit of the values; empty if there are no values
   * @throws IllegalArgumentException if the fraction is out of range
   */
  public static OptionalDouble ofSorted(double[] sorted, double fraction) {
    Checks.fraction(fraction, "fraction");
    if (sorted.length == 0) {
      return OptionalDouble.empty();
    }
    double position = fraction * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    double weight = position - below;
    return OptionalDouble.of(sorted[below] + weight * (sorted[above] - sorted[below]));
  }
}
