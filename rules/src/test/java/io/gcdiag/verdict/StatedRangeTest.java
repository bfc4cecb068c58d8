package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Prediction.Range;
import org.junit.jupiter.api.Test;

/** What is stated of a range whose ends hold 95 %: the part that holds 80 %. */
class StatedRangeTest {

  @Test
  void endsAreTwoThirdsOfTheFactorAway() {
    // z(0.9) / z(0.975) = 1.28155 / 1.95996 = 0.65387; 10^0.65387 = 4.5068, 2^0.65387 = 1.5734
    Range stated = new Range(1, 20, 10).stated();
    assertEquals(10 / 4.5068, stated.low(), 1e-3);
    assertEquals(10, stated.middle());
    assertEquals(10 * 1.5734, stated.high(), 1e-3);
  }

  @Test
  void nothingAtAllStaysPossible() {
    assertEquals(0, new Range(0, 20, 10).stated().low());
    assertEquals(new Range(0, 0, 0), new Range(0, 0, 0).stated());
    assertEquals(0.42941 * 8, new Range(0, 8, 0).stated().high(), 1e-3);
  }

  @Test
  void aRangeFromNothingLeavesAFifthAboveItsEnd() {
    // z(0.8) / z(0.975) = 0.84162 / 1.95996 = 0.42941; 4^0.42941 = 1.8136
    assertEquals(1.5 * 1.8136, new Range(0, 6, 1.5).stated().high(), 1e-3);
  }
}
