package io.gcdiag.stats;

import org.apache.commons.math3.distribution.HypergeometricDistribution;

/**
 * Whether two groups of yes-or-no cases differ by chance: R. A. Fisher's exact test (Statistical
 * Methods for Research Workers, 1934), which holds for any number of cases, however small.
 */
public final class ExactTest {

  /** Tables that are equally likely differ by rounding only; R's fisher.test allows the same. */
  private static final double SAME = 1 + 1e-7;

  private ExactTest() {}

  /**
   * Probability of tables with the same sums that are at most as likely as this one (two-sided). 1
   * if a group is empty.
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
