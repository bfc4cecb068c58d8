package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimesTest {

  private static final Times FIVE = new Times(new long[] {50, 10, 40, 20, 30});

  @Test
  void aQuantileIsInterpolatedBetweenNeighbours() {
    assertEquals(Duration.ofNanos(10), FIVE.quantile(0));
    assertEquals(Duration.ofNanos(30), FIVE.quantile(0.5));
    // 0.6 of the way from the first to the second.
    assertEquals(Duration.ofNanos(16), FIVE.quantile(0.15));
    assertEquals(Duration.ofNanos(50), FIVE.quantile(1));
  }

  @Test
  void ofNoneItIsZero() {
    assertEquals(Duration.ZERO, new Times(new long[0]).quantile(0.99));
  }

  @Test
  void aFractionIsFromZeroToOne() {
    for (double wrong : new double[] {-0.01, 1.01, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> FIVE.quantile(wrong));
    }
  }
}
