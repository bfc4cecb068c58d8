package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TrialsTest {

  private static final double EXACT = 1e-12;

  @Test
  void whatHappensOftenEnoughIsCountedUp() {
    // One in four, twice: not at all is 0.75 x 0.75, both times 0.25 x 0.25.
    assertEquals(1, Trials.atLeast(0, 2, 0.25), EXACT);
    assertEquals(1 - 0.5625, Trials.atLeast(1, 2, 0.25), EXACT);
    assertEquals(0.0625, Trials.atLeast(2, 2, 0.25), EXACT);
  }

  @Test
  void withoutTrialsNothingHappens() {
    assertEquals(1, Trials.atLeast(0, 0, 0.25), EXACT);
  }
}
