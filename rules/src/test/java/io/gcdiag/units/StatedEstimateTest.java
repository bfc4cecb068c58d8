package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What is stated of a range whose ends hold 95 %: the part that holds 80 %. */
class StatedEstimateTest {

  @Test
  void endsAreTwoThirdsOfTheFactorAway() {
    // z(0.9) / z(0.975) = 1.28155 / 1.95996 = 0.65387; 10^0.65387 = 4.5068, 2^0.65387 = 1.5734
    Estimate stated = new Estimate(1, 10, 20).stated();
    assertEquals(10 / 4.5068, stated.low(), 1e-3);
    assertEquals(10, stated.likely());
    assertEquals(10 * 1.5734, stated.high(), 1e-3);
  }

  @Test
  void nothingAtAllStaysPossible() {
    assertEquals(0, new Estimate(0, 10, 20).stated().low());
    assertEquals(new Estimate(0, 0, 0), new Estimate(0, 0, 0).stated());
    assertEquals(0.42941 * 8, new Estimate(0, 0, 8).stated().high(), 1e-3);
  }

  @Test
  void aRangeFromNothingLeavesAFifthAboveItsEnd() {
    // z(0.8) / z(0.975) = 0.84162 / 1.95996 = 0.42941; 4^0.42941 = 1.8136
    assertEquals(1.5 * 1.8136, new Estimate(0, 1.5, 6).stated().high(), 1e-3);
  }
}
