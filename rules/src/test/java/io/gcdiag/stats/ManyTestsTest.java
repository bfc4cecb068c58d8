package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ManyTestsTest {

  @Test
  void theSmallestCountsAsOftenAsThereAreTestsAndNoneIsBelowOneBefore() {
    // 4 x 0.005, 3 x 0.01, 2 x 0.03; 1 x 0.04 is below the one before.
    assertArrayEquals(
        new double[] {0.03, 0.06, 0.06, 0.02},
        ManyTests.holm(new double[] {0.01, 0.04, 0.03, 0.005}),
        1e-12);
  }

  @Test
  void noneIsMoreThanOne() {
    assertArrayEquals(new double[] {1, 1}, ManyTests.holm(new double[] {0.9, 0.8}));
  }

  @Test
  void probabilitiesAreFromZeroToOne() {
    assertArrayEquals(new double[] {0, 1}, ManyTests.holm(new double[] {0, 1}));
    for (double wrong : new double[] {-0.01, 1.01, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> ManyTests.holm(new double[] {0.5, wrong}));
    }
  }
}
