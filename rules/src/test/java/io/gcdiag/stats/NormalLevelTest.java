package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Against tables of the normal distribution: one standard deviation holds 68.26895 %. */
class NormalLevelTest {

  @Test
  void ninetyFivePercentEndAt196StandardDeviations() {
    assertEquals(1.959964, NormalLevel.OF_95_PERCENT, 1e-6);
  }
}
