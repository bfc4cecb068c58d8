package io.gcdiag.stats;

import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.HypergeometricDistribution;

/** Probabilities of yes-or-no cases, for any number of them, however small. */
public final class ExactTest {

  /** Tables that are equally likely differ by rounding only; R's fisher.test allows the same. */
  private static final double SAME = 1 + 1e-7;

  private ExactTest() {}

  /**
   * Probability of a yes in so many cases or more, by the binomial distribution.
   *
   * @param hits how many, 0 to {@code cases}
   * @param cases 0 or more, none dependent on another
   * @param probability of a yes in one, 0 to 1
   */
  public static double atLeast(int hits, int cases, double probability) {
    return 1 - new BinomialDistribution(null, cases, probability).cumulativeProbability(hits - 1);
  }

  /**
   * Whether two groups differ by chance: R. A. Fisher's exact test (Statistical Methods for
   * Research Workers, 1934).
   *
   * <p>Probability of tables with the same sums that are at most as likely as this one (two-sided).
   * 1 if a group is empty.
   *
   * @param hits cases of the first group that are a yes, 0 to {@code cases}
   * @param cases of the first group
   * @param otherHits the same of the second group
   * @param otherCases of the second group
   */
  public static double twoSided(int hits, int cases, int otherHits, int otherCases) {
    if (hits < 0 || hits > cases || otherHits < 0 || otherHits > otherCases) {
      throw new IllegalArgumentException(
          "no table: " + hits + " of " + cases + ", " + otherHits + " of " + otherCases);
    }
    int allHits = hits + otherHits;
    int all = cases + otherCases;
    if (cases == 0 || otherCases == 0 || allHits == 0 || allHits == all) {
      return 1;
    }
    HypergeometricDistribution tables = new HypergeometricDistribution(null, all, allHits, cases);
    double seen = tables.probability(hits) * SAME;
    double sum = 0;
    for (int k = tables.getSupportLowerBound(); k <= tables.getSupportUpperBound(); k++) {
      double probability = tables.probability(k);
      sum += probability <= seen ? probability : 0;
    }
    return Math.min(1, sum);
  }
}
