package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.junit.jupiter.api.Test;

class HoldTimeTest {

  private static Duration ms(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  private static long[] draws(HoldTime hold) {
    RandomGenerator random = new Well19937c(1);
    return LongStream.generate(() -> hold.nextNanos(random)).limit(200_000).toArray();
  }

  @Test
  void aLogNormalHoldHasTheGivenMeanAndP99() {
    long[] draws = draws(HoldTime.LogNormal.of(ms(4), ms(20)));
    assertEquals(4, LongStream.of(draws).average().orElseThrow() / 1e6, 0.08);
    assertEquals(20, millis(new Times(draws).quantile(0.99)), 0.6);
  }

  @Test
  void aMeasuredDistributionIsDrawnAsItIs() {
    HoldTime measured = new HoldTime.Empirical(List.of(ms(2), ms(4), ms(4), ms(10)));
    // Pieces from 2 to 4, 4 to 4 and 4 to 10 are equally likely: (3 + 4 + 7) / 3.
    assertEquals(14.0 / 3, millis(measured.mean()), 1e-3);
    long[] draws = draws(measured);
    assertEquals(14.0 / 3, LongStream.of(draws).average().orElseThrow() / 1e6, 0.05);
    Times times = new Times(draws);
    assertEquals(4, millis(times.quantile(0.5)), 0.01);
    assertEquals(3, millis(times.quantile(1.0 / 6)), 0.1);
    assertEquals(10, millis(times.quantile(1)), 0.01);
  }

  @Test
  void whatIsNoDistributionIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> HoldTime.LogNormal.of(ms(1), ms(15)));
    assertThrows(IllegalArgumentException.class, () -> new HoldTime.LogNormal(ms(1), -1));
    for (List<Duration> none :
        List.of(List.of(ms(2)), List.of(ms(2), ms(1)), List.of(ms(0), ms(0)))) {
      assertThrows(IllegalArgumentException.class, () -> new HoldTime.Empirical(none));
    }
  }
}
