package io.gcdiag.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * A straight line through points, with how sure its slope is.
 *
 * <p>The slope is that of ordinary least squares; its interval is that of the t distribution with
 * as many degrees of freedom as there are points, less two. It takes the deviations from the line
 * to be independent: for a series in which they persist, the interval is too narrow. The Theil-Sen
 * slope, the median of the slopes of all pairs of points (P. K. Sen, "Estimates of the Regression
 * Coefficient Based on Kendall's Tau", JASA 63, 1968), stays put when up to 29 % of the points are
 * wild; where it disagrees with the interval, a few points make the trend.
 *
 * @param intercept value of the line at x = 0, in the unit of y
 * @param slope least-squares slope, in units of y per unit of x
 * @param slopeLow lower end of the 95 % confidence interval of the slope
 * @param slopeHigh upper end of it
 * @param theilSenSlope robust slope, in units of y per unit of x; the least-squares slope in the
 *     odd case that more than 1,000 points, thinned, leave no two at different x
 */
public record TrendLine(
    double intercept, double slope, double slopeLow, double slopeHigh, double theilSenSlope) {

  /** Two points always lie on a line; only the third can support or contradict it. */
  public static final int FEWEST_POINTS = 3;

  private static final double INTERVAL_ALPHA = 0.05;

  /** Pairs grow with the square: 1,000 points have 499,500, the middle one is found in some ms. */
  private static final int MOST_POINTS_FOR_PAIRS = 1_000;

  /**
   * @throws IllegalArgumentException if a figure is not finite, or the interval does not hold the
   *     slope
   */
  public TrendLine {
    Checks.allFinite(new double[] {intercept, slope, slopeLow, slopeHigh, theilSenSlope}, "figure");
    if (slopeLow > slope || slope > slopeHigh) {
      throw new IllegalArgumentException("slope must lie in its interval, was " + slope);
    }
  }

  /**
   * Fits a line.
   *
   * @param x where the points stand, for example seconds since the start; any order
   * @param y their values, as many as in x
   * @return empty if there are fewer than 3 points or all stand at the same x
   * @throws IllegalArgumentException if the lengths differ or a number is not finite
   */
  public static Optional<TrendLine> fit(double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          "x and y must have the same length, were " + x.length + " and " + y.length);
    }
    if (x.length < FEWEST_POINTS || Arrays.stream(x).allMatch(v -> v == x[0])) {
      return Optional.empty();
    }
    SimpleRegression regression = new SimpleRegression();
    for (int i = 0; i < x.length; i++) {
      regression.addData(x[i], y[i]);
    }
    double slope = regression.getSlope();
    // On a perfect line rounding can leave a tiny negative error sum, whose root is no number.
    double halfWidth = zeroIfUndefined(regression.getSlopeConfidenceInterval(INTERVAL_ALPHA));
    return Optional.of(
        new TrendLine(
            regression.getIntercept(),
            slope,
            slope - halfWidth,
            slope + halfWidth,
            theilSen(x, y).orElse(slope)));
  }

  /** Whether the 95 % interval leaves out 0, so that the direction of the trend is known. */
  public boolean slopeDiffersFromZero() {
    return slopeLow > 0 || slopeHigh < 0;
  }

  private static double zeroIfUndefined(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /**
   * Takes evenly spread points of a long series: the median of fewer pairs is nearly the same.
   * Empty if all the points taken stand at the same x, which only a thinned series can bring about.
   */
  private static OptionalDouble theilSen(double[] x, double[] y) {
    int n = Math.min(x.length, MOST_POINTS_FOR_PAIRS);
    int[] chosen = new int[n];
    for (int i = 0; i < n; i++) {
      chosen[i] = (int) ((long) i * x.length / n);
    }
    double[] slopes = new double[n * (n - 1) / 2];
    int pairs = 0;
    for (int i : chosen) {
      for (int j : chosen) {
        if (j > i && x[i] != x[j]) {
          slopes[pairs++] = (y[j] - y[i]) / (x[j] - x[i]);
        }
      }
    }
    return Median.of(Arrays.copyOf(slopes, pairs));
  }
}
