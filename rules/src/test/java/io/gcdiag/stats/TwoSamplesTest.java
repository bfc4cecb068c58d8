package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TwoSamplesTest {

  private static double[] from(int first, int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = first + i;
    }
    return values;
  }

  @Test
  void samplesThatDoNotOverlapDiffer() {
    // U = 0 of 8 x 8: mean 32, deviation sqrt(8 x 8 x 17 / 12) = 9.52, z = 3.36, two-sided 0.0008.
    assertEquals(
        0.0008, TwoSamples.differByChance(from(0, 8), from(100, 8)).getAsDouble(), 0.00005);
  }

  @Test
  void samplesThatInterleaveDoNotDiffer() {
    double[] even = {0, 2, 4, 6, 8, 10, 12, 14};
    double[] odd = {1, 3, 5, 7, 9, 11, 13, 15};
    assertTrue(TwoSamples.differByChance(even, odd).getAsDouble() > 0.5);
  }

  @Test
  void fewValuesTellNothing() {
    assertEquals(OptionalDouble.empty(), TwoSamples.differByChance(from(0, 7), from(100, 50)));
  }

  @Test
  void valuesThatNeverChangeAreAlikeOrNot() {
    double[] zeros = new double[8];
    double[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
    assertEquals(OptionalDouble.of(1), TwoSamples.differByChance(zeros, zeros.clone()));
    assertEquals(OptionalDouble.of(0), TwoSamples.differByChance(zeros, ones));
  }

  @Test
  void countsOfOneRateAreHalvedLikeCoins() {
    // 3 of 10 in equal times: P(X <= 3) of a fair coin is (1 + 10 + 45 + 120) / 1024 = 0.171875.
    assertEquals(2 * 0.171875, TwoSamples.ratesDifferByChance(3, 60, 7, 60), 1e-12);
    assertEquals(1, TwoSamples.ratesDifferByChance(5, 60, 5, 60));
    assertEquals(1, TwoSamples.ratesDifferByChance(0, 60, 0, 60));
  }

  @Test
  void unequalTimesCount() {
    // 20 in 20 s and 10 in 10 s are one rate.
    assertEquals(1, TwoSamples.ratesDifferByChance(20, 20, 10, 10), 0.15);
    assertTrue(TwoSamples.ratesDifferByChance(20, 10, 10, 20) < 0.001);
  }
}
