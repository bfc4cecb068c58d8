package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Against tables of the normal distribution: one standard deviation holds 68.26895 %. */
class NormalLevelTest {

  @Test
  void ninetyFivePercentEndAt196StandardDeviations() {
    assertEquals(1.959964, NormalLevel.OF_95_PERCENT, 1e-6);
  }

  @Test
  void theRatioIsOfOneIntervalToTheOther() {
    assertEquals(1.959964, NormalLevel.ratio(0.95, 0.6826895), 1e-5);
    assertEquals(0.674490, NormalLevel.ratio(0.5, 0.6826895), 1e-5);
    assertEquals(0.510213, NormalLevel.ratio(0.6826895, 0.95), 1e-5);
  }
}
