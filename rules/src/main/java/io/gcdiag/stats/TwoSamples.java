package io.gcdiag.stats;

import java.util.OptionalDouble;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.stat.inference.MannWhitneyUTest;

/** Whether two samples differ by more than chance. */
public final class TwoSamples {

  /** With fewer values on a side the normal approximation of the rank test does not hold. */
  public static final int FEWEST = 8;

  private TwoSamples() {}

  /**
   * Probability of ranks that differ at least as much if both samples came from one distribution
   * (H. B. Mann and D. R. Whitney, 1947; two-sided, normal approximation). It asks nothing of the
   * distributions' shapes, which suits latencies and pauses. The values of a sample must be
   * independent: of a series in time, take means over spans longer than what happens in it.
   *
   * @return 0 to 1; empty if a sample has fewer than {@value #FEWEST} values
   */
  public static OptionalDouble differByChance(double[] a, double[] b) {
    if (a.length < FEWEST || b.length < FEWEST) {
      return OptionalDouble.empty();
    }
    if (spread(a) == 0 && spread(b) == 0) {
      return OptionalDouble.of(a[0] == b[0] ? 1 : 0);
    }
    return OptionalDouble.of(new MannWhitneyUTest().mannWhitneyUTest(a, b));
  }

  private static double spread(double[] values) {
    double low = Double.MAX_VALUE;
    double high = -Double.MAX_VALUE;
    for (double value : values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high - low;
  }

  /**
   * Probability of counts that differ at least as much if the events came at one rate. Given their
   * sum, the first count of two Poisson processes is binomial with the share of the first time (J.
   * Przyborowski and H. Wilenski, 1940). Two-sided: twice the smaller tail.
   *
   * @param countA events in the first span
   * @param secondsA its length, above 0
   * @param countB events in the second span
   * @param secondsB its length, above 0
   * @return 0 to 1; 1 if there is no event at all
   */
  public static double ratesDifferByChance(
      long countA, double secondsA, long countB, double secondsB) {
    int sum = (int) Math.min(Integer.MAX_VALUE, countA + countB);
    if (sum == 0) {
      return 1;
    }
    BinomialDistribution split =
        new BinomialDistribution(null, sum, secondsA / (secondsA + secondsB));
    int first = (int) Math.min(Integer.MAX_VALUE, countA);
    double atMost = split.cumulativeProbability(first);
    double atLeast = 1 - split.cumulativeProbability(first - 1);
    return Math.min(1, 2 * Math.min(atMost, atLeast));
  }
}
