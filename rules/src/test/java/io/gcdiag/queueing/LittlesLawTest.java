package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LittlesLawTest {
  private static final Duration HOLD = Duration.ofNanos(4_320_000);

  @Test
  void concurrencyIsRateTimesHold() {
    // 1000/s x 0.00432 s = 4.32; 813/s x 0.00432 s = 3.51216.
    assertEquals(4.32, new LittlesLaw(1000, HOLD).concurrency(), 1e-12);
    assertEquals(3.51216, new LittlesLaw(813, HOLD).concurrency(), 1e-12);
  }

  @Test
  void utilisationIsConcurrencyOverPoolSize() {
    assertEquals(0.351216, new LittlesLaw(813, HOLD).utilisationOf(10), 1e-12);
    // Two connections, 2 s each, 1/s: exactly full.
    assertEquals(1, new LittlesLaw(1, Duration.ofSeconds(2)).utilisationOf(2));
  }

  @Test
  void theSustainableRateIsPoolSizeOverHold() {
    // 10 / 0.00432 s = 2314.8/s; 2 / 2 s = 1/s.
    assertEquals(2314.8, LittlesLaw.sustainableRatePerSecond(10, HOLD), 0.05);
    assertEquals(1, LittlesLaw.sustainableRatePerSecond(2, Duration.ofSeconds(2)));
  }

  @Test
  void argumentsOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LittlesLaw(-1, HOLD));
    assertThrows(IllegalArgumentException.class, () -> new LittlesLaw(Double.NaN, HOLD));
    assertThrows(IllegalArgumentException.class, () -> new LittlesLaw(1, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> new LittlesLaw(1, HOLD).utilisationOf(0));
  }
}
