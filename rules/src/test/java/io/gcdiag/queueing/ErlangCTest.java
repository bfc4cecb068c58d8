package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ErlangCTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The sum of the textbook, term by term: terms a^k / k! grow too large for big c, not here. */
  private static double bySummation(int servers, double load) {
    double term = 1;
    double sum = 0;
    for (int k = 0; k < servers; k++) {
      sum += term;
      term *= load / (k + 1);
    }
    double waiting = term * servers / (servers - load);
    return waiting / (sum + waiting);
  }

  @Test
  void withOneServerTheWaitFollowsTheSimpleFormulas() {
    ErlangC queue = ErlangC.of(50, Duration.ofMillis(10), 1);
    // rho = 0.5; mean wait rho / (mu - lambda) = 0.5 / (100 - 50) = 10 ms.
    assertEquals(0.5, queue.waitProbability(), 1e-12);
    assertEquals(Optional.of(Duration.ofMillis(10)), queue.meanWait());
    // ln(0.5 / 0.01) / 50 = 3.912023 / 50 = 78.240 ms; the median does not wait.
    assertEquals(78.240, queue.waitQuantile(0.99).orElseThrow().toNanos() / 1e6, 1e-3);
    assertEquals(Duration.ZERO, queue.waitQuantile(0.4).orElseThrow());
    // 0.5 exp(-50 x 0.02) = 0.5 / e.
    assertEquals(0.18394, queue.probabilityOfWaitLongerThan(Duration.ofMillis(20)), 1e-5);
  }

  @Test
  void withTwoServersItIsTheClosedForm() {
    // 2 rho^2 / (1 + rho) with rho = 0.8: 1.28 / 1.8 = 0.71111.
    assertEquals(0.711111, ErlangC.of(1.6, SECOND, 2).waitProbability(), 1e-6);
  }

  @Test
  void itAgreesWithValuesOfTextbooks() {
    // c = 3, a = 2: 4/9. c = 5, a = 4: (1024/120 x 5) / (34.3333 + 42.6667) = 0.55411.
    assertEquals(4.0 / 9, ErlangC.of(2, SECOND, 3).waitProbability(), 1e-12);
    assertEquals(0.55411, ErlangC.of(4, SECOND, 5).waitProbability(), 1e-5);
  }

  @Test
  void itAgreesWithDirectSummation() {
    for (int servers = 1; servers <= 60; servers++) {
      for (double utilisation : new double[] {0.05, 0.35, 0.8, 0.99}) {
        double load = servers * utilisation;
        double expected = bySummation(servers, load);
        assertEquals(
            expected, ErlangC.of(load, SECOND, servers).waitProbability(), 1e-9 * expected);
      }
    }
  }

  @Test
  void tenThousandServersAreNoProblem() {
    // Halfin and Whitt (1981): with b = (c - a) / sqrt(a) = 100 / 99.5 = 1.005 about
    // 1 / (1 + b Phi(b) / phi(b)) = 1 / (1 + 1.005 x 0.84255 / 0.24076) = 0.2214.
    assertEquals(0.2214, ErlangC.of(9900, SECOND, 10_000).waitProbability(), 0.003);
  }

  @Test
  void aPoolThatCannotKeepUpIsUnstableAndHasNoMeanWait() {
    for (double rate : new double[] {2, 2.5}) {
      ErlangC queue = ErlangC.of(rate, SECOND, 2);
      assertFalse(queue.isStable());
      assertEquals(1, queue.waitProbability());
      assertEquals(1, queue.probabilityOfWaitLongerThan(Duration.ofDays(1)));
      assertTrue(queue.meanWait().isEmpty());
      assertTrue(queue.waitQuantile(0.5).isEmpty());
    }
  }

  @Test
  void withoutArrivalsNobodyWaits() {
    ErlangC queue = ErlangC.of(0, SECOND, 3);
    assertTrue(queue.isStable());
    assertEquals(0, queue.waitProbability());
    assertEquals(Duration.ZERO, queue.meanWait().orElseThrow());
    assertEquals(OptionalInt.of(1), ErlangC.smallestPoolFor(0, SECOND, Duration.ZERO, 0.99));
  }

  @Test
  void theSmallestPoolIsTheFirstThatMeetsTheTarget() {
    Duration hold = Duration.ofNanos(4_320_000);
    Duration target = Duration.ofMillis(5);
    int pool = ErlangC.smallestPoolFor(1000, hold, target, 0.99).orElseThrow();
    // P(W > 5 ms) = C exp(-(c / 4.32 ms - 1/ms) 5 ms), here with C by direct summation.
    double withPool = bySummation(pool, 4.32) * Math.exp(-(pool / 4.32 - 1) * 5);
    double withOneLess = bySummation(pool - 1, 4.32) * Math.exp(-((pool - 1) / 4.32 - 1) * 5);
    assertTrue(withPool <= 0.01, "was " + withPool);
    assertTrue(withOneLess > 0.01, "was " + withOneLess);
  }

  @Test
  void aSharperTargetNeedsALargerPool() {
    // Load 0.5: C is 0.5 with one server and 2 x 0.0625 / 1.25 = 0.1 with two.
    Duration hold = Duration.ofMillis(10);
    assertEquals(OptionalInt.of(1), ErlangC.smallestPoolFor(50, hold, Duration.ZERO, 0.49));
    assertEquals(OptionalInt.of(2), ErlangC.smallestPoolFor(50, hold, Duration.ZERO, 0.51));
  }

  @Test
  void aDemandBeyondEveryPoolHasNoSmallestOne() {
    assertTrue(ErlangC.smallestPoolFor(1e6, SECOND, SECOND, 0.99).isEmpty());
  }

  @Test
  void argumentsOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> ErlangC.of(1, SECOND, 0));
    assertThrows(IllegalArgumentException.class, () -> ErlangC.of(1, SECOND, 100_001));
    assertThrows(IllegalArgumentException.class, () -> ErlangC.of(-1, SECOND, 1));
    assertThrows(
        IllegalArgumentException.class, () -> ErlangC.smallestPoolFor(1, SECOND, SECOND, 1));
    ErlangC queue = ErlangC.of(1, SECOND, 2);
    assertThrows(IllegalArgumentException.class, () -> queue.waitQuantile(1));
    assertThrows(
        IllegalArgumentException.class,
        () -> queue.probabilityOfWaitLongerThan(Duration.ofMillis(-1)));
  }
}
