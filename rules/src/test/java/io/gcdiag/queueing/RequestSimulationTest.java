package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.queueing.Times.Observed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.apache.commons.math3.stat.descriptive.StatisticalSummary;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Simulated requests that come at random, against the formulas of such queues. */
@Tag("slow")
class RequestSimulationTest {

  private static final int RUNS = 20;

  private static Duration ms(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  private static Observed all(Times times) {
    return times.observedAbove(Duration.ZERO);
  }

  private static double mean(Times times) {
    return millis(all(times).total()) / times.count();
  }

  private static double shareAboveZero(Times times) {
    return (double) all(times).count() / times.count();
  }

  private static RequestSimulation.Run run(
      double rate, OptionalInt servers, HoldTime service, HoldTime rest, List<Stall> stalls) {
    return RequestSimulation.run(
        new RequestModel(rate, servers, service, rest, Duration.ofSeconds(60), stalls), 1);
  }

  private static RequestModel pool(
      double perSecond, int size, Duration hold, Duration horizon, Stall... stalls) {
    return RequestModel.ofPool(
        perSecond, size, new HoldTime.Exponential(hold), horizon, List.of(stalls));
  }

  /** A figure of the waits over runs of several seeds. */
  private static StatisticalSummary waits(
      RequestModel model, int runs, ToDoubleFunction<Times> of) {
    SummaryStatistics figures = new SummaryStatistics();
    LongStream.range(1, 1 + runs)
        .mapToObj(seed -> RequestSimulation.run(model, seed).waits())
        .mapToDouble(of)
        .forEach(figures::addValue);
    return figures.getSummary();
  }

  /** Four standard errors of the mean: a right simulation misses by more once in 16,000 times. */
  private static void assertWithinFourErrors(double expected, StatisticalSummary actual) {
    double tolerance = 4 * actual.getStandardDeviation() / Math.sqrt(actual.getN());
    assertEquals(expected, actual.getMean(), tolerance, actual::toString);
    assertTrue(tolerance < 0.07 * expected, "the comparison is sharp enough: " + actual);
  }

  @Test
  void withExponentialServiceTheWaitsAreThoseOfErlang() {
    ErlangC expected = ErlangC.of(800, ms(10), 10);
    RequestModel model = pool(800, 10, ms(10), Duration.ofSeconds(200));
    assertWithinFourErrors(
        millis(expected.meanWait().orElseThrow()), waits(model, RUNS, RequestSimulationTest::mean));
    assertWithinFourErrors(
        expected.waitProbability(), waits(model, RUNS, RequestSimulationTest::shareAboveZero));
    assertWithinFourErrors(
        millis(expected.waitQuantile(0.99).orElseThrow()),
        waits(model, RUNS, waits -> millis(waits.quantile(0.99))));
  }

  @Test
  void fixedHoldsWaitAsTheMD1QueueDoes() {
    // Pollaczek and Khinchine: rho hold / (2 (1 - rho)) = 0.5 x 10 ms / 1 = 5 ms.
    RequestModel model =
        RequestModel.ofPool(50, 1, new HoldTime.Fixed(ms(10)), Duration.ofSeconds(1000), List.of());
    assertWithinFourErrors(5, waits(model, RUNS, RequestSimulationTest::mean));
  }

  @Test
  void theMeanDrainOfARandomStreamAgreesWithTheFormula() {
    // Held 2 ms the pool is hardly ever full by chance (load 1.6 of 10), so those that wait came in
    // the stall or in the (248 - 8.4) / (5000 - 800) = 57.0 ms after it.
    RequestModel model = pool(800, 10, ms(2), ms(1000), new Stall(ms(400), ms(310)));
    StallImpact impact = new StallImpact(800, ms(310), 10, ms(2), 1.6);
    double drain = millis(impact.drainTime().orElseThrow()) / 1e3;
    assertWithinFourErrors(
        impact.backlog() + 800 * drain, waits(model, 200, waits -> all(waits).count()));
  }

  @Test
  void withEnoughServersOnlyTheStallIsMet() {
    // 20 of every 100 ms stopped, each request needs 5 ms. One that comes during a stall is late by
    // what is left of it; one that comes up to 5 ms before it, by all of it.
    List<Stall> stalls = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      stalls.add(new Stall(ms(i * 100 + 10), ms(20)));
    }
    RequestSimulation.Run run =
        run(1000, OptionalInt.empty(), RequestModel.NOTHING, new HoldTime.Fixed(ms(5)), stalls);
    assertEquals(0, all(run.waits()).count());
    assertEquals(20, millis(run.excesses().quantile(1)), 1e-3);
    assertEquals(0.25, shareAboveZero(run.excesses()), 0.01);
    // Mean: 20 % x 10 ms + 5 % x 20 ms = 3 ms, and the 5 ms that it needs.
    assertEquals(8, mean(run.responses()), 0.15);
    assertEquals(5, millis(run.responses().quantile(0.5)), 1e-3);
  }

  @Test
  void eightyPausesAMinuteDoNotMakeASecondOfLatency() {
    // 800/s, a pool of 10 held 4.32 ms, every pause as long as the longest, 31 ms: the backlog of
    // 14.8 is gone 9.8 ms after each. Nothing here comes near the 1,040 ms that were observed.
    List<Stall> stalls = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      stalls.add(new Stall(ms(i * 750), ms(31)));
    }
    RequestSimulation.Run run =
        run(
            800,
            OptionalInt.of(10),
            new HoldTime.Exponential(ms(4.32)),
            RequestModel.NOTHING,
            stalls);
    double tail = millis(run.responses().quantile(0.99));
    assertTrue(tail > 20 && tail < 60, "P99 " + tail);
    assertTrue(millis(run.responses().quantile(1)) < 150);
  }

  @Test
  void aSeedGivesTheSameRunAndAnotherSeedAnother() {
    RequestModel model =
        new RequestModel(
            200,
            OptionalInt.of(3),
            new HoldTime.Exponential(ms(10)),
            new HoldTime.Exponential(ms(5)),
            Duration.ofSeconds(10),
            List.of());
    Observed first = all(RequestSimulation.run(model, 7).responses());
    assertEquals(first, all(RequestSimulation.run(model, 7).responses()));
    assertNotEquals(first, all(RequestSimulation.run(model, 8).responses()));
  }

  @Test
  void twentyServersTakeTwentyRequestsAtOnce() {
    // Of 30 in the same millisecond, held 100 ms each, ten wait for one that is free after 100 ms.
    long[] together = LongStream.range(0, 30).map(i -> i * 1000).toArray();
    RequestModel model =
        RequestModel.ofPool(1, 20, new HoldTime.Fixed(ms(100)), Duration.ofSeconds(1), List.of());
    Times waits = RequestSimulation.run(model, together, 1).waits();
    assertEquals(new Observed(10, ms(10 * (100 - 0.02))), all(waits));
  }

  @Test
  void arrivalsInHalfOfTheTimeWaitMore() {
    // One server at half of its capacity, and at all of it while they come: 50/s x 10 ms = 0.5.
    RequestModel model =
        RequestModel.ofPool(50, 1, new HoldTime.Fixed(ms(10)), Duration.ofSeconds(100), List.of());
    ArrivalCourse course = ArrivalCourse.of(new double[] {1, 0});
    RequestSimulation.Run run = RequestSimulation.run(model, course, 1);
    assertEquals(RequestSimulation.run(model, 1).waits().count(), run.waits().count());
    assertTrue(mean(run.waits()) > 50, "" + mean(run.waits()));
  }

  @Test
  void moreArrivalsThanUsualAllCome() {
    // One expected: six or more have a probability of 0.06 %, by Poisson, so six of 10,000 runs.
    RequestModel model = pool(1, 1, ms(1), ms(1000));
    long[] counts =
        LongStream.range(0, 10_000)
            .map(seed -> RequestSimulation.run(model, seed).waits().count())
            .toArray();
    assertEquals(1, LongStream.of(counts).average().orElseThrow(), 4 / Math.sqrt(10_000));
    assertTrue(LongStream.of(counts).max().orElseThrow() >= 6);
  }

  @Test
  void noArrivalsGiveEmptyFigures() {
    RequestSimulation.Run run = RequestSimulation.run(pool(0, 3, ms(5), ms(1000)), 1);
    assertEquals(0, run.waits().count());
    assertEquals(Duration.ZERO, run.waits().quantile(0.99));
    assertEquals(new Observed(0, Duration.ZERO), all(run.excesses()));
  }

  @Test
  void modelsOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> pool(-1, 1, ms(10), ms(10)));
    assertThrows(IllegalArgumentException.class, () -> pool(1, -1, ms(10), ms(10)));
    assertThrows(IllegalArgumentException.class, () -> pool(1e9, 1, ms(10), ms(1000)));
    assertThrows(
        IllegalArgumentException.class,
        () -> pool(1000, 1, Duration.ofDays(9000), Duration.ofSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> new Stall(ms(-1), ms(1)));
  }
}
