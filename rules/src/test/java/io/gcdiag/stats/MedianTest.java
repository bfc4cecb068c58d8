package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MedianTest {

  @Test
  void ofAnOddNumberOfValuesItIsTheMiddleOne() {
    assertEquals(3, Median.of(new double[] {5, 1, 3}).orElseThrow());
  }

  @Test
  void ofAnEvenNumberItIsHalfWayBetweenTheTwoInTheMiddle() {
    assertEquals(25, Median.of(new double[] {40, 10, 30, 20}).orElseThrow());
  }

  @Test
  void nothingHasNoMedian() {
    assertTrue(Median.of(new double[0]).isEmpty());
  }
}
