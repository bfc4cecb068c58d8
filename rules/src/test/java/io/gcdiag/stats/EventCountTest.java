package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/**
 * The negative binomial distribution with p = 1/2, summed by hand: each term from the one before.
 */
class EventCountTest {

  @Test
  void whereNoneWasSeenThreeMayCome() {
    // 0.7071, 0.1768, 0.0663, 0.0276: together 0.9778, and 0.9502 without the last.
    assertEquals(new EventCount(0.5, 0, 3), EventCount.of(0));
  }

  @Test
  void whereOneWasSeenNoneOrSixMayCome() {
    // 0.3536, 0.2652, 0.1657, 0.0967, 0.0544, 0.0299, 0.0162: together 0.9817, 0.9655 before.
    assertEquals(new EventCount(1.5, 0, 6), EventCount.of(1));
  }

  @Test
  void aLargeCountVariesByTheRootOfTwiceItself() {
    // 10,000.5, and 1.96 x sqrt(20,001) = 277.2 more or less.
    EventCount many = EventCount.of(10_000);
    assertEquals(9_723, many.atLeast(), 5);
    assertEquals(10_278, many.atMost(), 5);
  }
}
