package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GrowthTest {
  @Test
  void relativeGrowthIsTheChangeOverTheAmountBefore() {
    // 942 / 308 = 3.0584 and 10 / 70 = 0.1429.
    assertEquals(3.0584, new Growth(308, 1250).relative().orElseThrow(), 5e-5);
    assertEquals(0.1429, new Growth(70, 80).relative().orElseThrow(), 5e-5);
  }

  @Test
  void aFallIsNegative() {
    // 355 / 1040 = 0.3413.
    assertEquals(-0.6587, new Growth(1040, 355).relative().orElseThrow(), 5e-5);
  }

  @Test
  void growthFromNothingHasNoFraction() {
    assertTrue(new Growth(0, 5).relative().isEmpty());
  }

  @Test
  void negativeAndUndefinedAmountsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Growth(-1, 5));
    var refused = assertThrows(IllegalArgumentException.class, () -> new Growth(1, Double.NaN));
    assertEquals("after must be a finite number, was NaN", refused.getMessage());
  }
}
