package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WindowTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final Window MINUTE = new Window(START, START.plusSeconds(60));

  @Test
  void holdsItsStartAndNotItsEnd() {
    assertTrue(MINUTE.contains(START));
    assertTrue(MINUTE.contains(START.plusSeconds(60).minusNanos(1)));
    assertFalse(MINUTE.contains(START.plusSeconds(60)));
    assertFalse(MINUTE.contains(START.minusNanos(1)));
  }

  @Test
  void knowsItsLengthToTheFraction() {
    assertEquals(60, MINUTE.seconds());
    assertEquals(0.25, new Window(START, START.plusMillis(250)).seconds(), 1e-12);
  }

  @Test
  void overlapsWithWhatLiesInside() {
    // From 10 s before to 20 s after the start: 20 s of it inside.
    assertEquals(
        Duration.ofSeconds(20), MINUTE.overlap(START.minusSeconds(10), Duration.ofSeconds(30)));
    assertEquals(
        Duration.ofSeconds(5), MINUTE.overlap(START.plusSeconds(55), Duration.ofSeconds(30)));
    assertEquals(
        Duration.ofSeconds(60), MINUTE.overlap(START.minusSeconds(1), Duration.ofHours(1)));
    assertEquals(Duration.ZERO, MINUTE.overlap(START.plusSeconds(60), Duration.ofSeconds(30)));
    assertEquals(Duration.ZERO, MINUTE.overlap(START.minusSeconds(9), Duration.ofSeconds(9)));
  }

  @Test
  void isNeverEmpty() {
    assertThrows(IllegalArgumentException.class, () -> new Window(START, START));
    assertThrows(IllegalArgumentException.class, () -> new Window(START, START.minusSeconds(1)));
  }
}
