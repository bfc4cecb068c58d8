package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TrendLineTest {
  private static final double[] ONE_TO_FIVE = {1, 2, 3, 4, 5};

  @Test
  void fiveScatteredPointsGiveTheSlopeWorkedOutByHand() {
    TrendLine line = TrendLine.fit(ONE_TO_FIVE, new double[] {2, 4, 5, 4, 5}).orElseThrow();
    // Means 3 and 4, Sxx = 10, Sxy = 6: slope 0.6, intercept 4 - 1.8 = 2.2.
    assertEquals(0.6, line.slope(), 1e-12);
    assertEquals(2.2, line.intercept(), 1e-12);
    // Residuals -0.8 0.6 1.0 -0.6 -0.2, squares 2.4; standard error sqrt(2.4 / 3 / 10) = 0.28284;
    // t(0.975; 3) = 3.18245, so plus and minus 0.90014.
    assertEquals(-0.30014, line.slopeLow(), 1e-5);
    assertEquals(1.50014, line.slopeHigh(), 1e-5);
    // Slopes of pairs: -1 0 0 1/3 2/3 | 3/4 1 1 3/2 2; the middle is (2/3 + 3/4) / 2.
    assertEquals(17.0 / 24, line.theilSenSlope(), 1e-12);
    assertFalse(line.slopeDiffersFromZero());
  }

  @Test
  void oneWildPointMovesTheLineButNotTheRobustSlope() {
    TrendLine line = TrendLine.fit(ONE_TO_FIVE, new double[] {1, 2, 3, 4, 500}).orElseThrow();
    // Six of ten pairs leave out the wild point and have slope 1.
    assertEquals(1, line.theilSenSlope(), 1e-12);
    // Sxy = -2 x 1 - 1 x 2 + 0 + 1 x 4 + 2 x 500 = 1000, over 10.
    assertEquals(100, line.slope(), 1e-9);
  }

  @Test
  void aPerfectLineIsCertain() {
    TrendLine line = TrendLine.fit(ONE_TO_FIVE, new double[] {3, 5, 7, 9, 11}).orElseThrow();
    assertEquals(2, line.slope(), 1e-12);
    assertEquals(2, line.slopeLow(), 1e-6);
    assertTrue(line.slopeDiffersFromZero());
  }

  @Test
  void aFlatLineHasNoTrend() {
    TrendLine line = TrendLine.fit(ONE_TO_FIVE, new double[] {7, 7, 7, 7, 7}).orElseThrow();
    assertEquals(0, line.slope());
    assertFalse(line.slopeDiffersFromZero());
  }

  @Test
  void tooFewPointsOrNoSpreadGiveNoLine() {
    assertTrue(TrendLine.fit(new double[] {1, 2}, new double[] {1, 2}).isEmpty());
    assertTrue(TrendLine.fit(new double[] {4, 4, 4}, new double[] {1, 2, 3}).isEmpty());
  }

  @Test
  void longSeriesAreThinnedForTheRobustSlopeOnly() {
    double[] x = new double[5000];
    double[] y = new double[5000];
    for (int i = 0; i < 5000; i++) {
      x[i] = i;
      y[i] = 0.5 * i + (i % 2 == 0 ? 1 : -1);
    }
    TrendLine line = TrendLine.fit(x, y).orElseThrow();
    assertEquals(0.5, line.slope(), 1e-4);
    assertEquals(0.5, line.theilSenSlope(), 1e-2);
  }

  @Test
  void argumentsThatDoNotMatchAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> TrendLine.fit(ONE_TO_FIVE, new double[] {1}));
    assertThrows(
        IllegalArgumentException.class,
        () -> TrendLine.fit(new double[] {1, 2, 3}, new double[] {1, Double.NaN, 3}));
    assertThrows(
        IllegalArgumentException.class,
        () -> TrendLine.fit(new double[] {1, Double.NaN, 3}, new double[] {1, 2, 3}));
    assertThrows(
        IllegalArgumentException.class,
        () -> TrendLine.fit(new double[] {1, 2, 3}, new double[] {1, 2, Double.POSITIVE_INFINITY}));
    assertThrows(IllegalArgumentException.class, () -> new TrendLine(0, 1, 1, 1, Double.NaN));
  }
}
