package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Expected values: Wilson's formula worked out on paper with z = 1.96. */
class EstimateTest {

  private static final double DIGITS = 1e-4;

  private static void assertInterval(double low, double high, Estimate share) {
    assertEquals(low, share.low(), DIGITS);
    assertEquals(high, share.high(), DIGITS);
  }

  @Test
  void halfOfTenSamplesIsAQuarterToThreeQuarters() {
    assertInterval(0.2366, 0.7634, Estimate.ofShare(0.5, 10));
  }

  @Test
  void allOfTwoSamplesMayBeAThird() {
    // 1 / (1 + 3.8415 / 2)
    assertInterval(0.3424, 1, Estimate.ofShare(1, 2));
  }

  @Test
  void noneOfTwoSamplesMayBeTwoThirds() {
    assertInterval(0, 0.6576, Estimate.ofShare(0, 2));
  }

  @Test
  void manySamplesLeaveLittleRoom() {
    // 0.5 +- 1.96 x sqrt(0.25 / 10,000)
    assertInterval(0.4902, 0.5098, Estimate.ofShare(0.5, 10_000));
  }

  @Test
  void withoutSamplesThereIsNoShare() {
    assertThrows(IllegalArgumentException.class, () -> Estimate.ofShare(0.5, 0));
  }
}
