package io.gcdiag.stats;

import java.util.Arrays;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * One stream of standard normal draws, always the same. Drawing takes longer than what is made of
 * the draws, and an analysis needs the stream's beginning for every series that it tests; so what
 * has been drawn is kept: for the longest series 999 x 301 draws, 2.4 MB.
 */
final class NormalDraws {
  /** A fixed seed: which one does not matter, only that it never changes. */
  private static final long SEED = 20_170_317L;

  /** Drawn at a time: a hundred rounds of the longest series, after which most are judged. */
  private static final int BLOCK = 32 * 1024;

  private static final RandomGenerator RANDOM = new Well19937c(SEED);

  private static volatile double[] drawn = new double[0];

  private NormalDraws() {}

  /**
   * At least so many draws from the beginning of the stream.
   *
   * @return not to be changed
   */
  static double[] first(int count) {
    double[] known = drawn;
    return known.length >= count ? known : more(count);
  }

  private static synchronized double[] more(int count) {
    int from = drawn.length;
    if (from < count) {
      double[] longer = Arrays.copyOf(drawn, Math.max(count, from + BLOCK));
      for (int i = from; i < longer.length; i++) {
        longer[i] = RANDOM.nextGaussian();
      }
      drawn = longer;
    }
    return drawn;
  }
}
