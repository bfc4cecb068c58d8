package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class QuantilesTest {
  @Test
  void aQuantileBetweenTwoValuesIsInterpolated() {
    // Position 0.9 x 3 = 2.7: from 30 seven tenths of the way to 40.
    assertEquals(37, Quantiles.of(new double[] {40, 10, 30, 20}, 0.9).orElseThrow(), 1e-12);
  }

  @Test
  void theEndsAreMinimumAndMaximumAndTheMiddleIsTheMedian() {
    double[] values = {5, 1, 3};
    assertEquals(1, Quantiles.of(values, 0).orElseThrow());
    assertEquals(3, Quantiles.of(values, 0.5).orElseThrow());
    assertEquals(5, Quantiles.of(values, 1).orElseThrow());
    assertArrayEquals(new double[] {5, 1, 3}, values, "the argument is left alone");
  }

  @Test
  void nothingHasNoQuantile() {
    assertTrue(Quantiles.of(new double[0], 0.5).isEmpty());
  }

  @Test
  void fractionsOutOfRangeAndUndefinedValuesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Quantiles.of(new double[] {1}, 1.01));
    assertThrows(IllegalArgumentException.class, () -> Quantiles.of(new double[] {1}, Double.NaN));
    assertThrows(
        IllegalArgumentException.class, () -> Quantiles.of(new double[] {Double.NaN}, 0.5));
  }
}
