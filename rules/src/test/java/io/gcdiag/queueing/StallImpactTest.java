package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StallImpactTest {
  private static final Duration HOLD = Duration.ofNanos(4_320_000);
  private static final Duration LONG_PAUSE = Duration.ofMillis(31);

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  @Test
  void aPauseOf31MsLeaves15Of25ArrivalsWaitingForTenConnections() {
    StallImpact impact = new StallImpact(800, LONG_PAUSE, 10, HOLD, 0);
    // 800 x 0.031 = 24.8; 24.8 - 10 = 14.8; 10 / 0.00432 = 2314.8/s.
    assertEquals(24.8, impact.arrivals(), 1e-9);
    assertEquals(14.8, impact.backlog(), 1e-9);
    assertEquals(2314.8, impact.servedPerSecond(), 0.05);
    // 14.8 / (2314.8 - 800) = 9.770 ms; 14.8 / 2314.8 = 6.394 ms.
    assertEquals(9.770, millis(impact.drainTime().orElseThrow()), 1e-3);
    assertEquals(6.394, millis(impact.longestPoolWait()), 1e-3);
  }

  @Test
  void connectionsInUseAtTheStartAddToTheBacklog() {
    // Mean in use 800 x 0.00432 = 3.456: 24.8 - (10 - 3.456) = 18.256.
    StallImpact impact = new StallImpact(800, LONG_PAUSE, 10, HOLD, 3.456);
    assertEquals(18.256, impact.backlog(), 1e-9);
  }

  @Test
  void aShortPauseNobodyWaitsFor() {
    // 800 x 0.0125 = 10, just the pool.
    Duration pause = Duration.ofNanos(12_500_000);
    StallImpact impact = new StallImpact(800, pause, 10, HOLD, 0);
    assertEquals(0, impact.backlog(), 1e-9);
    assertEquals(Duration.ZERO, impact.longestPoolWait());
    assertEquals(Duration.ZERO, impact.drainTime().orElseThrow());
    // The mean pause of 15.6 ms: 800 x 0.0156 = 12.48 arrivals.
    assertEquals(
        12.48, new StallImpact(800, Duration.ofNanos(15_600_000), 10, HOLD, 0).arrivals(), 1e-9);
  }

  @Test
  void aPoolThatCannotKeepUpNeverDrains() {
    StallImpact impact = new StallImpact(2, Duration.ofSeconds(5), 2, Duration.ofSeconds(2), 0);
    assertEquals(8, impact.backlog(), 1e-9);
    assertEquals(Optional.empty(), impact.drainTime());
  }

  @Test
  void withoutArrivalsNothingHappens() {
    StallImpact impact = new StallImpact(0, LONG_PAUSE, 10, HOLD, 0);
    assertEquals(0, impact.backlog());
    assertTrue(impact.drainTime().isPresent());
  }

  @Test
  void argumentsOutOfRangeAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new StallImpact(-1, LONG_PAUSE, 10, HOLD, 0));
    assertThrows(
        IllegalArgumentException.class, () -> new StallImpact(800, LONG_PAUSE, 10, HOLD, 11));
    assertThrows(
        IllegalArgumentException.class,
        () -> new StallImpact(800, Duration.ofMillis(-1), 10, HOLD, 0));
  }
}
