package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.queueing.Times.Observed;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Simulated pools against arithmetic by hand: even arrivals, holds of one length. */
class StalledPoolTest {

  private static Duration ms(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  /** A request every so many milliseconds, the first at once, until the horizon. */
  private static RequestSimulation.Run even(
      double everyMs, int pool, double holdMs, double horizonMs, Stall... stalls) {
    long gap = ms(everyMs).toNanos();
    long[] arrivals =
        LongStream.iterate(0, at -> at < ms(horizonMs).toNanos(), at -> at + gap).toArray();
    return RequestSimulation.run(
        RequestModel.ofPool(
            1000 / everyMs, pool, new HoldTime.Fixed(ms(holdMs)), ms(horizonMs), List.of(stalls)),
        arrivals,
        1);
  }

  private static Observed all(Times times) {
    return times.observedAbove(Duration.ZERO);
  }

  @Test
  void oneStallInAnEvenStreamAgreesWithArithmeticByHand() {
    // Every 4 ms one arrival, 2 connections, held 4 ms; stall from 10 to 30 ms; 0 to 56 arrive.
    //  0: 0-4    4: 4-8    8: 8-32 (frozen 20)
    // At 30 come 12, 16, 20, 24, 28; one connection is free, the other at 32:
    // 12: 30-34 waits 0, 16: 32-36 waits 2, 20: 34-38 waits 4, 24: 36-40 waits 6, 28: 38-42 waits
    // 8, 32: 40-44 waits 8, 36: 42-46 waits 6, 40: 44-48 waits 4, 44: 46-50 waits 2, 48: 48-52
    // waits 0.
    RequestSimulation.Run run = even(4, 2, 4, 60, new Stall(ms(10), ms(20)));
    assertEquals(15, run.waits().count());
    assertEquals(new Observed(8, ms(40)), all(run.waits()));
    // Seven of 0, then 2 2 4 4 6 6 8 8: position 7 is 2; position 12.6 is 6 + 0.6 x 2.
    assertEquals(ms(2), run.waits().quantile(0.5));
    assertEquals(ms(7.2), run.waits().quantile(0.9));
    // Excess of 8: 20; of 12 to 28: frozen 18 14 10 6 2 and waits 0 2 4 6 8; of 32 to 44: 8 6 4 2.
    assertEquals(ms(110), all(run.excesses()).total());
    assertEquals(ms(20), run.excesses().quantile(1));
    // One is in use when the stall begins, 5 arrive; 4 wait, and those of the next 16 ms.
    StallImpact impact = new StallImpact(250, ms(20), 2, ms(4), 1);
    assertEquals(4, impact.backlog());
    assertEquals(ms(16), impact.drainTime().orElseThrow());
    assertEquals(run.waits().quantile(1), impact.longestPoolWait());
  }

  @Test
  void aThresholdHidesTheShortWaits() {
    Times waits = even(4, 2, 4, 60, new Stall(ms(10), ms(20))).waits();
    // Of 2 4 6 8 8 6 4 2 those of 6 or more: 6 8 8 6.
    assertEquals(new Observed(4, ms(28)), waits.observedAbove(ms(6)));
    assertEquals(new Observed(0, Duration.ZERO), waits.observedAbove(ms(9)));
  }

  @Test
  void aWaitSitsThroughTheStallsItMeets() {
    // One connection, held 10 ms, arrivals at 0 and 5, stall from 7 to 17. The first holds from 0
    // to 20; the second waits from 5 to 20, 10 of it frozen, and holds from 20 to 30.
    RequestSimulation.Run run = even(5, 1, 10, 10, new Stall(ms(7), ms(10)));
    assertEquals(ms(15), all(run.waits()).total());
    assertEquals(ms(25), all(run.excesses()).total());
  }

  @Test
  void overlappingStallsCountOnce() {
    RequestSimulation.Run one = even(5, 1, 10, 10, new Stall(ms(7), ms(10)));
    RequestSimulation.Run two =
        even(5, 1, 10, 10, new Stall(ms(10), ms(7)), new Stall(ms(7), ms(6)));
    assertEquals(all(one.waits()), all(two.waits()));
    assertEquals(all(one.excesses()), all(two.excesses()));
  }

  @Test
  void aConnectionReturnedAsTheStallBeginsIsHandedOverBefore() {
    // Stall from 10 to 20: the first is done at 10, and the second has waited 5 by then.
    RequestSimulation.Run run = even(5, 1, 10, 10, new Stall(ms(10), ms(10)));
    assertEquals(ms(5), all(run.waits()).total());
  }

  @Test
  void theSimulatedDrainAgreesWithTheFormula() {
    // 800 x 0.31 = 248 arrivals, about 3.5 in use: 241.5 wait, and with them who comes in the 159.4
    // ms after the stall. With fixed holds connections come back in steps of one hold, in which 3.5
    // arrive.
    RequestSimulation.Run run = even(1.25, 10, 4.32, 1000, new Stall(ms(400), ms(310)));
    StallImpact impact = new StallImpact(800, ms(310), 10, ms(4.32), 3.456);
    double drain = impact.drainTime().orElseThrow().toNanos() / 1e9;
    assertEquals(impact.backlog() + 800 * drain, all(run.waits()).count(), 3.5);
  }

  @Test
  void anOverloadedPoolGrowsItsLineWithTime() {
    // One connection, 10 ms, an arrival every 5 ms: number k starts at 10 k and has waited 5 k.
    Times second = even(5, 1, 10, 1000).waits();
    assertEquals(ms(995), second.quantile(1));
    // 5 x (0 + 1 + ... + 199) = 5 x 19,900.
    assertEquals(ms(99_500), all(second).total());
    assertEquals(ms(1995), even(5, 1, 10, 2000).waits().quantile(1));
  }
}
