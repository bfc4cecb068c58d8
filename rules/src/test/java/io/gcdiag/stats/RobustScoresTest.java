package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class RobustScoresTest {

  @Test
  void aWildValueNeitherMovesTheScaleNorGoesBeyondSix() {
    // Median 3; distances 2, 1, 0, 1, 97 with the median 1: the scale is 1.4826.
    assertArrayEquals(
        new double[] {-1.34898, -0.67449, 0, 0.67449, 6},
        RobustScores.of(new double[] {1, 2, 3, 4, 100}),
        1e-4);
    assertArrayEquals(
        new double[] {-6, -0.67449, 0, 0.67449, 1.34898},
        RobustScores.of(new double[] {-100, 2, 3, 4, 5}),
        1e-4);
  }

  @Test
  void whereMostValuesAreTheSameTheMeanDistanceIsTheScale() {
    // Distances 0, 0, 0, 0, 5 with the mean 1: the scale is 1.2533.
    assertArrayEquals(
        new double[] {0, 0, 0, 0, 3.98947}, RobustScores.of(new double[] {5, 5, 5, 5, 10}), 1e-4);
  }

  @Test
  void aConstantSeriesHasNoScores() {
    assertArrayEquals(new double[] {0, 0, 0}, RobustScores.of(new double[] {7, 7, 7}));
  }

  @Test
  void equalValuesShareTheMeanOfTheirRanks() {
    assertArrayEquals(
        new double[] {2, 3.5, 3.5, 1}, RobustScores.ranks(new double[] {10, 20, 20, 5}));
  }
}
