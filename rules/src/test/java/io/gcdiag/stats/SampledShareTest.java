package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Expected values: Wilson's formula worked out on paper with z = 1.96. */
class SampledShareTest {

  private static final double DIGITS = 1e-4;

  private static void assertInterval(double low, double high, SampledShare share) {
    assertEquals(low, share.low(), DIGITS);
    assertEquals(high, share.high(), DIGITS);
  }

  @Test
  void halfOfTenSamplesIsAQuarterToThreeQuarters() {
    assertInterval(0.2366, 0.7634, SampledShare.of(0.5, 10));
  }

  @Test
  void allOfTwoSamplesMayBeAThird() {
    // 1 / (1 + 3.8415 / 2)
    assertInterval(0.3424, 1, SampledShare.of(1, 2));
  }

  @Test
  void noneOfTwoSamplesMayBeTwoThirds() {
    assertInterval(0, 0.6576, SampledShare.of(0, 2));
  }

  @Test
  void manySamplesLeaveLittleRoom() {
    // 0.5 +- 1.96 x sqrt(0.25 / 10,000)
    assertInterval(0.4902, 0.5098, SampledShare.of(0.5, 10_000));
  }

  @Test
  void withoutSamplesThereIsNoShare() {
    assertThrows(IllegalArgumentException.class, () -> SampledShare.of(0.5, 0));
  }
}
