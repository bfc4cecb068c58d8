package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RequestSimulationTest {

  private static Duration ms(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  private static RequestSimulation.Run run(
      double rate, OptionalInt servers, HoldTime service, HoldTime rest, List<Stall> stalls) {
    return RequestSimulation.run(
        new RequestModel(rate, servers, service, rest, Duration.ofSeconds(60), stalls), 1);
  }

  @Test
  void withExponentialServiceTheWaitsAreThoseOfErlang() {
    // 300/s x 10 ms = 3 of 5 servers, ten minutes in ten runs of other seeds.
    ErlangC queue = ErlangC.of(300, ms(10), 5);
    RequestModel model =
        new RequestModel(
            300,
            OptionalInt.of(5),
            new HoldTime.Exponential(ms(10)),
            RequestModel.NOTHING,
            Duration.ofSeconds(60),
            List.of());
    double waited = 0;
    double waiting = 0;
    for (int seed = 1; seed <= 10; seed++) {
      Times waits = RequestSimulation.run(model, seed).waits();
      waited += millis(waits.mean()) / 10;
      waiting += waits.countAboveZero() / 10.0 / waits.count();
    }
    double expected = millis(queue.meanWait().orElseThrow());
    assertEquals(expected, waited, 0.06 * expected);
    assertEquals(queue.waitProbability(), waiting, 0.03 * queue.waitProbability());
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
    assertEquals(ms(0), run.waits().max());
    assertEquals(20, millis(run.excesses().max()), 1e-3);
    double touched = (double) run.excesses().countAboveZero() / run.excesses().count();
    assertEquals(0.25, touched, 0.01);
    // Mean: 20 % x 10 ms + 5 % x 20 ms = 3 ms, and the 5 ms that it needs.
    assertEquals(8, millis(run.responses().mean()), 0.15);
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
    assertTrue(millis(run.responses().max()) < 150);
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
    Times first = RequestSimulation.run(model, 7).responses();
    assertEquals(first.total(), RequestSimulation.run(model, 7).responses().total());
    assertTrue(!first.total().equals(RequestSimulation.run(model, 8).responses().total()));
  }

  @Test
  void aMeasuredDistributionIsDrawnAsItIs() {
    HoldTime measured = new HoldTime.Empirical(List.of(ms(2), ms(4), ms(4), ms(10)));
    // Pieces from 2 to 4, 4 to 4 and 4 to 10 are equally likely: (3 + 4 + 7) / 3.
    assertEquals(14.0 / 3, millis(measured.mean()), 1e-3);
    RequestSimulation.Run run =
        run(1000, OptionalInt.empty(), RequestModel.NOTHING, measured, List.of());
    assertEquals(4, millis(run.responses().quantile(0.5)), 0.01);
    assertEquals(3, millis(run.responses().quantile(1.0 / 6)), 0.1);
    assertEquals(14.0 / 3, millis(run.responses().mean()), 0.05);
    assertEquals(10, millis(run.responses().max()), 0.01);
  }

  @Test
  void whatIsNoDistributionIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new HoldTime.Empirical(List.of(ms(2))));
    assertThrows(
        IllegalArgumentException.class, () -> new HoldTime.Empirical(List.of(ms(2), ms(1))));
    assertThrows(
        IllegalArgumentException.class, () -> new HoldTime.Empirical(List.of(ms(0), ms(0))));
    assertThrows(
        IllegalArgumentException.class,
        () -> run(1e9, OptionalInt.of(1), RequestModel.NOTHING, RequestModel.NOTHING, List.of()));
  }
}
