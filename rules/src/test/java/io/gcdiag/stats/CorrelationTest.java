package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CorrelationTest {

  private static final double[] X = {1, 2, 3, 4, 5};
  private static final double[] Y = {2, 1, 4, 3, 5};

  @Test
  void pearsonAndItsIntervalFollowFromTheValues() {
    // Deviations -2 -1 0 1 2 and -1 -2 1 0 2: products add up to 8, squares to 10 and 10.
    Correlation r = Correlation.pearson(X, Y).orElseThrow();
    assertEquals(0.8, r.r(), 1e-12);
    assertEquals(5, r.count());
    // The neighbours of y: 2 - 2 + 0 + 0 = 0, no autocorrelation, so that all five count.
    assertEquals(5, r.effectiveCount(), 1e-12);
    // z = ln 9 / 2 = 1.0986 with the deviation 1 / root 2: tanh(-0.2873) to tanh(2.4845).
    assertEquals(-0.2797, r.low(), 0.0001);
    assertEquals(0.9862, r.high(), 0.0001);
    // 1.0986 x root 2 = 1.5537 deviations: 0.0601 on either side.
    assertEquals(0.1203, r.pValue(), 0.0003);
  }

  @Test
  void spearmanIsThatOfTheRanks() {
    // Ranks differ by 1, -1, 1, -1, 0: 1 - 6 x 4 / (5 x 24) = 0.8.
    double[] curved = {20, 1, 400, 30, 50_000};
    Correlation rho = Correlation.spearman(X, curved).orElseThrow();
    assertEquals(0.8, rho.r(), 1e-12);
    // The same z, with a deviation of root (1.06 / 2).
    assertEquals(-0.3169, rho.low(), 0.0001);
  }

  @Test
  void seriesThatStayWhereTheyAreCountLess() {
    // Neighbours: 3 - 1 + 3 = 5 of 7, and 1 - 1 + 1 - 1 + 1 - 1 + 1 = 1 of 7; their product is
    // 5/49, and 8 x (49 - 5) / (49 + 5) = 6.52.
    double[] slow = {1, 1, 1, 1, -1, -1, -1, -1};
    double[] fast = {1, 1, -1, -1, 1, 1, -1, -1};
    Correlation r = Correlation.pearson(slow, fast).orElseThrow();
    assertEquals(6.5185, r.effectiveCount(), 0.0001);
    assertEquals(0, r.r(), 1e-12);
    assertEquals(1, r.pValue(), 1e-12);
  }

  @Test
  void walksThatHaveNothingToDoWithEachOtherAreSeldomRelated() {
    int related = 0;
    int byCountAlone = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Correlation r = Correlation.pearson(walk(random, 60), walk(random, 60)).orElseThrow();
      related += r.pValue() < 0.05 ? 1 : 0;
      // With the count alone everything above 1.96 / root 57 = 0.26 would be a relation.
      byCountAlone += Math.abs(r.r()) > 0.26 ? 1 : 0;
    }
    // One in twenty of 200 is 10.
    assertTrue(related <= 10, "related: " + related);
    assertTrue(byCountAlone > 100, "related by their count alone: " + byCountAlone);
  }

  private static double[] walk(Random random, int steps) {
    double[] walk = new double[steps];
    for (int i = 1; i < steps; i++) {
      walk[i] = walk[i - 1] + random.nextGaussian();
    }
    return walk;
  }

  @Test
  void aPerfectRelationHasNoRoomForChance() {
    double[] x = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    double[] y = {-3, -1, -4, -1, -5, -9, -2, -6, -5, -3, -5, -8};
    Correlation r = Correlation.pearson(x, y).orElseThrow();
    assertEquals(-1, r.r(), 1e-12);
    assertEquals(0, r.pValue(), 1e-6);
    assertTrue(r.high() < -0.99);
  }

  @Test
  void placesUnknownInOneOfTheSeriesAreLeftOut() {
    double nan = Double.NaN;
    double[] x = {1, nan, 2, 3, 4, 9, 5};
    double[] y = {2, 7, 1, 4, 3, nan, 5};
    assertEquals(0.8, Correlation.pearson(x, y).orElseThrow().r(), 1e-12);
    assertEquals(5, Correlation.pearson(x, y).orElseThrow().count());
  }

  @Test
  void nothingIsRelatedToWhatNeverChanges() {
    double[] constant = {0.3, 0.3, 0.3, 0.3, 0.1 + 0.2};
    assertTrue(Correlation.pearson(X, constant).isEmpty());
    assertTrue(Correlation.spearman(constant, X).isEmpty());
    assertFalse(Correlation.varies(constant), "0.1 + 0.2 is 0.3 but for its rounding");
    assertFalse(Correlation.varies(new double[] {Double.NaN, 2, Double.NaN}));
  }

  @Test
  void threePairsAreTooFew() {
    assertTrue(Correlation.pearson(new double[] {1, 2, 3}, new double[] {1, 3, 2}).isEmpty());
  }

  @Test
  void seriesOfDifferentLengthAreAMistake() {
    assertThrows(IllegalArgumentException.class, () -> Correlation.pearson(X, new double[4]));
  }

  @Test
  void manyQuestionsMakeEachAnswerLessSure() {
    // In order: 4 x 0.005 = 0.02, 3 x 0.01 = 0.03, 2 x 0.03 = 0.06, and 0.04 not below that.
    double[] corrected = ManyTests.holm(new double[] {0.01, 0.04, 0.03, 0.005});
    double[] expected = {0.03, 0.06, 0.06, 0.02};
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], corrected[i], 1e-12);
    }
    assertEquals(1, ManyTests.holm(new double[] {0.7, 0.8})[0]);
    assertEquals(0, ManyTests.holm(new double[0]).length);
  }
}
