package io.gcdiag.stats;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Keeps chance finds out when many questions are asked at once. */
public final class ManyTests {
  private ManyTests() {}

  /**
   * P-values corrected so that with all of them below a level the probability of even one chance
   * find is below it too (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
   * Scandinavian Journal of Statistics 6, 1979). The smallest of m is multiplied by m, the next by
   * m - 1 and so on; none becomes smaller than one before it, or larger than 1. Nothing is asked of
   * how the tests depend on each other.
   *
   * @param pValues probabilities, 0 to 1, in any order; not changed
   * @return the corrected ones in the same order
   */
  public static double[] holm(double[] pValues) {
    for (double p : pValues) {
      Checks.fraction(p, "pValues");
    }
    double[] corrected = new double[pValues.length];
    double largest = 0;
    int left = pValues.length;
    for (int i :
        IntStream.range(0, pValues.length)
            .boxed()
            .sorted(Comparator.comparingDouble(k -> pValues[k]))
            .mapToInt(Integer::intValue)
            .toArray()) {
      largest = Math.max(largest, Math.min(1, left * pValues[i]));
      corrected[i] = largest;
      left--;
    }
    return corrected;
  }
}
