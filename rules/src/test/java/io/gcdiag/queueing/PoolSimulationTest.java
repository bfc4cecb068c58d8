package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.queueing.PoolModel.Arrivals;
import io.gcdiag.queueing.PoolRuns.Spread;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolSimulationTest {
  private static Duration ms(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  private static PoolModel even(
      double perSecond, int pool, double holdMs, double horizonMs, Stall... stalls) {
    return new PoolModel(
        Arrivals.EVEN,
        perSecond,
        pool,
        new HoldTime.Fixed(ms(holdMs)),
        ms(horizonMs),
        List.of(stalls));
  }

  private static PoolModel random(
      double perSecond, int pool, Duration hold, Duration horizon, Stall... stalls) {
    return new PoolModel(
        Arrivals.POISSON,
        perSecond,
        pool,
        new HoldTime.Exponential(hold),
        horizon,
        List.of(stalls));
  }

  /** Four standard errors of the mean: a right simulation misses by more once in 16,000 times. */
  private static void assertWithinFourErrors(double expected, Spread actual, int runs) {
    double tolerance = 4 * actual.standardDeviation() / Math.sqrt(runs);
    assertEquals(expected, actual.mean(), tolerance, actual::toString);
    assertTrue(tolerance < 0.07 * expected, "the comparison is sharp enough: " + actual);
  }

  @Test
  void oneStallInAnEvenStreamAgreesWithArithmeticByHand() {
    // Every 4 ms one arrival, 2 connections, held 4 ms; stall from 10 to 30 ms; 0 to 56 arrive.
    //  0: 0-4    4: 4-8    8: 8-32 (frozen 20)
    // At 30 come 12, 16, 20, 24, 28; one connection is free, the other at 32:
    // 12: 30-34 waits 0, 16: 32-36 waits 2, 20: 34-38 waits 4, 24: 36-40 waits 6, 28: 38-42 waits
    // 8,
    // 32: 40-44 waits 8, 36: 42-46 waits 6, 40: 44-48 waits 4, 44: 46-50 waits 2, 48: 48-52 waits
    // 0.
    PoolRun run = PoolSimulation.run(even(250, 2, 4, 60, new Stall(ms(10), ms(20))), 1);
    assertEquals(15, run.arrivals());
    assertEquals(8, run.waits().countAboveZero());
    assertEquals(ms(40), run.waits().total());
    assertEquals(ms(8), run.waits().max());
    // Seven of 0, then 2 2 4 4 6 6 8 8: position 7 is 2; position 12.6 is 6 + 0.6 x 2.
    assertEquals(ms(2), run.waits().quantile(0.5));
    assertEquals(ms(7.2), run.waits().quantile(0.9));
    // Excess of 8: 20; of 12 to 28: frozen 18 14 10 6 2 and waits 0 2 4 6 8; of 32 to 44: 8 6 4 2.
    assertEquals(ms(110), run.excesses().total());
    assertEquals(ms(20), run.excesses().max());
    // At 30: 16, 20, 24 and 28 wait.
    assertEquals(4, run.longestLine());
    assertEquals(40.0 / 60, run.meanWaiting(), 1e-9);
    assertEquals(ms(46), run.lastWaitEnd());
    // One is in use when the stall begins, 5 arrive: (5 - 1) / (500 - 250) = 16 ms after its end.
    StallImpact impact = new StallImpact(250, ms(20), 2, ms(4), 1);
    assertEquals(ms(46), ms(30).plus(impact.drainTime().orElseThrow()));
    assertEquals(run.waits().max(), impact.longestPoolWait());
  }

  @Test
  void aThresholdHidesTheShortWaits() {
    PoolRun run = PoolSimulation.run(even(250, 2, 4, 60, new Stall(ms(10), ms(20))), 1);
    // Of 2 4 6 8 8 6 4 2 those of 6 or more: 6 8 8 6.
    assertEquals(new Times.Observed(4, ms(28)), run.waits().observedAbove(ms(6)));
    assertEquals(new Times.Observed(8, ms(40)), run.waits().observedAbove(Duration.ZERO));
    assertEquals(new Times.Observed(0, Duration.ZERO), run.waits().observedAbove(ms(9)));
  }

  @Test
  void aWaitSitsThroughTheStallsItMeets() {
    // One connection, held 10 ms, arrivals at 0 and 5, stall from 7 to 17. The first holds from 0
    // to 20; the second waits from 5 to 20, 10 of it frozen, and holds from 20 to 30.
    PoolRun run = PoolSimulation.run(even(200, 1, 10, 10, new Stall(ms(7), ms(10))), 1);
    assertEquals(ms(15), run.waits().total());
    assertEquals(ms(25), run.excesses().total());
  }

  @Test
  void overlappingStallsCountOnce() {
    PoolRun one = PoolSimulation.run(even(200, 1, 10, 10, new Stall(ms(7), ms(10))), 1);
    PoolRun two =
        PoolSimulation.run(
            even(200, 1, 10, 10, new Stall(ms(10), ms(7)), new Stall(ms(7), ms(6))), 1);
    assertEquals(one.waits().total(), two.waits().total());
    assertEquals(one.excesses().total(), two.excesses().total());
  }

  @Test
  void aConnectionReturnedAsTheStallBeginsIsHandedOverBefore() {
    // Stall from 10 to 20: the first is done at 10, the second has waited 5 and then holds from 10,
    // with all of the stall, to 30.
    PoolRun run = PoolSimulation.run(even(200, 1, 10, 10, new Stall(ms(10), ms(10))), 1);
    assertEquals(ms(5), run.waits().total());
    assertEquals(ms(15), run.excesses().total());
  }

  @Test
  void withoutStallsItAgreesWithErlangC() {
    int runs = 20;
    Duration hold = Duration.ofMillis(10);
    ErlangC expected = ErlangC.of(800, hold, 10);
    PoolRuns actual = PoolSimulation.run(random(800, 10, hold, Duration.ofSeconds(200)), runs, 100);
    assertWithinFourErrors(
        expected.meanWait().orElseThrow().toNanos() / 1e9,
        actual.ofSeconds(run -> run.waits().mean()),
        runs);
    assertWithinFourErrors(
        expected.waitProbability(),
        actual.of(run -> (double) run.waits().countAboveZero() / run.arrivals()),
        runs);
    assertWithinFourErrors(
        expected.waitQuantile(0.99).orElseThrow().toNanos() / 1e9,
        actual.ofSeconds(run -> run.waits().quantile(0.99)),
        runs);
    // Little's law for the line itself: 800/s times the mean wait.
    assertWithinFourErrors(
        800 * expected.meanWait().orElseThrow().toNanos() / 1e9,
        actual.of(PoolRun::meanWaiting),
        runs);
  }

  @Test
  void fixedHoldsWaitAsTheMD1QueueDoes() {
    // Pollaczek and Khinchine: rho hold / (2 (1 - rho)) = 0.5 x 10 ms / 1 = 5 ms.
    int runs = 20;
    PoolModel model =
        new PoolModel(
            Arrivals.POISSON,
            50,
            1,
            new HoldTime.Fixed(ms(10)),
            Duration.ofSeconds(1000),
            List.of());
    PoolRuns actual = PoolSimulation.run(model, runs, 7);
    assertWithinFourErrors(0.005, actual.ofSeconds(run -> run.waits().mean()), runs);
  }

  @Test
  void aLogNormalHoldHasTheGivenMeanAndP99() {
    HoldTime hold = HoldTime.LogNormal.of(ms(4), ms(20));
    var random = new org.apache.commons.math3.random.Well19937c(1);
    long[] draws = new long[200_000];
    for (int i = 0; i < draws.length; i++) {
      draws[i] = hold.nextNanos(random);
    }
    Times times = new Times(draws);
    assertEquals(4, times.mean().toNanos() / 1e6, 0.08);
    assertEquals(20, times.quantile(0.99).toNanos() / 1e6, 0.6);
  }

  @Test
  void theSimulatedDrainAgreesWithTheFormula() {
    // 800 x 0.31 = 248 arrivals, about 3.5 in use: 241.5 / 1514.8 = 159.4 ms after the stall. With
    // fixed holds connections come back in steps of one hold, which is the tolerance.
    PoolRun run = PoolSimulation.run(even(800, 10, 4.32, 1000, new Stall(ms(400), ms(310))), 1);
    StallImpact impact = new StallImpact(800, ms(310), 10, ms(4.32), 3.456);
    double drain = run.lastWaitEnd().minus(ms(710)).toNanos() / 1e6;
    assertEquals(impact.drainTime().orElseThrow().toNanos() / 1e6, drain, 4.32);
  }

  @Test
  void theMeanDrainOfARandomStreamAgreesWithTheFormula() {
    // Held 2 ms the pool is hardly ever full by chance (load 1.6 of 10), so the last wait is the
    // stall's: (248 - 8.4) / (5000 - 800) = 57.0 ms after it.
    int runs = 200;
    PoolRuns actual =
        PoolSimulation.run(random(800, 10, ms(2), ms(1000), new Stall(ms(400), ms(310))), runs, 11);
    StallImpact impact = new StallImpact(800, ms(310), 10, ms(2), 1.6);
    assertWithinFourErrors(
        impact.drainTime().orElseThrow().toNanos() / 1e9,
        actual.ofSeconds(run -> run.lastWaitEnd().minus(ms(710))),
        runs);
  }

  @Test
  void anOverloadedPoolGrowsItsLineWithTime() {
    // One connection, 10 ms, an arrival every 5 ms: number k starts at 10 k and has waited 5 k.
    PoolRun second = PoolSimulation.run(even(200, 1, 10, 1000), 1);
    assertEquals(ms(995), second.waits().max());
    // 5 x (0 + 1 + ... + 199) = 5 x 19,900.
    assertEquals(ms(99_500), second.waits().total());
    // At 995, number 199 has just come and those from 100 on have not started: 100 in line.
    assertEquals(100, second.longestLine());
    PoolRun two = PoolSimulation.run(even(200, 1, 10, 2000), 1);
    assertEquals(ms(1995), two.waits().max());
  }

  @Test
  void theSameSeedGivesTheSameRunAndAnotherSeedAnother() {
    PoolModel model = random(800, 10, ms(11), Duration.ofSeconds(10));
    assertEquals(
        PoolSimulation.run(model, 5).waits().total(), PoolSimulation.run(model, 5).waits().total());
    Spread spread = PoolSimulation.run(model, 3, 5).ofSeconds(run -> run.waits().total());
    assertTrue(spread.standardDeviation() > 0 && spread.min() < spread.max());
  }

  @Test
  void noArrivalsGiveEmptyFigures() {
    PoolRun run = PoolSimulation.run(random(0, 3, ms(5), ms(1000)), 1);
    assertEquals(0, run.arrivals());
    assertEquals(Duration.ZERO, run.waits().mean());
    assertEquals(Duration.ZERO, run.waits().quantile(0.99));
    assertEquals(Duration.ZERO, run.excesses().max());
    assertEquals(0, run.longestLine());
    assertEquals(0, run.meanWaiting());
    assertEquals(Duration.ZERO, run.lastWaitEnd());
  }

  @Test
  void modelsOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> even(-1, 1, 10, 10));
    assertThrows(IllegalArgumentException.class, () -> even(1, 0, 10, 10));
    assertThrows(IllegalArgumentException.class, () -> even(1e9, 1, 10, 1000));
    assertThrows(
        IllegalArgumentException.class,
        () -> random(1000, 1, Duration.ofDays(9000), Duration.ofSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> HoldTime.LogNormal.of(ms(1), ms(15)));
    assertThrows(IllegalArgumentException.class, () -> new Stall(ms(-1), ms(1)));
    PoolModel model = even(1, 1, 10, 10);
    assertThrows(IllegalArgumentException.class, () -> PoolSimulation.run(model, 0, 1));
  }
}
