package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.KeyFigure;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PoolInEventsTest {

  private static Optional<Finding> finding(MeasuredIncident incident) {
    return new PoolInEvents("pool-wait").finding(incident);
  }

  private static Finding only(IncidentBuilder builder) {
    return finding(builder.build()).orElseThrow();
  }

  private static IncidentBuilder waits(int count, double millis) {
    return incident()
        .recorded(Signal.THREAD_PARKS)
        .waits(count, 60, 120, WaitKind.POOL, "HikariCP", millis);
  }

  @Test
  void waitingThatTheDemandAloneProducesIsThePoolsSize() {
    // 10/s x 120 ms = 1.2 connections of 1: the queue grows by 10 - 8.33 = 1.67 a second. That is
    // 1.67 x 60^2 / 2 = 3,000 s of waiting in the minute and 600 s until it is empty, more than the
    // 600 x 3 s = 1,800 s observed and less than four times that.
    Finding finding = only(waits(600, 3000).rate(10).hold(120).poolSize(1));
    assertEquals(
        "600 waits for a connection (HikariCP), 3 s on average, 30 threads at the "
            + "peak; explained 100.0 % by the pool's size",
        finding.statement());
    assertEquals(
        1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT), 1e-9);
    assertFalse(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void whereTheMeanNumberHasNoPausesAndTheMeanWaitHasThemBothSaySo() {
    // Six pauses of a second, a tenth of the minute, all of which 30 threads wait through.
    Finding finding =
        only(waits(600, 3000).pauses(6, 60, 120, young(0, 1000)).rate(10).hold(120).poolSize(1));
    assertEquals(
        List.of(
            "threads waiting for a connection, mean, outside pauses",
            "mean wait for a connection, pauses included"),
        finding.figures().stream().limit(2).map(KeyFigure::what).toList());
    assertEquals(
        "threads waiting for a connection, mean",
        only(waits(600, 3000).rate(10).hold(120).poolSize(1)).figures().get(0).what());
  }

  @Test
  void waitingThatTheDemandDoesNotProduceRulesTheSizeOut() {
    // 813/s x 4.32 ms = 3.51 of 10. Erlang C: one borrower in some hundred waits, 0.7 ms on
    // average, together well below 1 s of the 50 s observed.
    Finding finding = only(waits(100, 500).rate(813).hold(4.32).poolSize(10));
    assertTrue(value(finding, "shareBySize") < 0.02);
    assertTrue(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
    assertEquals(0, passes(finding, Effect.POOL_WAIT, Effect.CPU_QUEUE));
  }

  @Test
  void whatTheSimulationLeavesOpenIsTheCoresIfTheyWereFull() {
    Finding finding = only(waits(100, 500).rate(813).hold(4.32).poolSize(10).cpu(90, 0.9, 0.95));
    assertTrue(passes(finding, Effect.POOL_WAIT, Effect.CPU_QUEUE) > 0.98);
  }

  @Test
  void sharesFromABoundAreCalledUpperLimits() {
    // The mean of 5 ms bounds the hold, and of 400/s in two minutes at most 800/s were in this one:
    // at most 800/s x 5 ms = 4 of 10. Six pauses of 1 s hold back 800 arrivals each at most;
    // without them no request waits.
    Finding finding =
        only(waits(600, 1000).pauses(6, 60, 120, young(0, 1000)).loadTest(400, 5).poolSize(10));
    assertTrue(
        finding.statement().contains("at most: simulated with an estimated pool"),
        finding::statement);
    Finding exact =
        only(waits(600, 1000).pauses(6, 60, 120, young(0, 1000)).rate(800).hold(5).poolSize(10));
    assertTrue(exact.statement().contains("by pauses (simulated queue)"), exact::statement);
  }

  @Test
  void withoutTheDemandOnlyCoincidenceWithPausesIsLeft() {
    // Every 2 s a pause of 100 ms; at its end, and only then, ten threads wait for 200 ms.
    IncidentBuilder builder =
        incident().recorded(Signal.THREAD_PARKS).pauses(30, 60, 120, young(0, 100));
    for (int i = 0; i < 10; i++) {
      builder.waits(30, 60.1, 120.1, WaitKind.POOL, "HikariCP", 200);
    }
    Finding finding = only(builder);
    assertEquals(
        "300 waits for a connection (HikariCP), 200 ms on average, 10 threads at the "
            + "peak; explained 100.0 % by pauses (they coincide: not enough data to "
            + "simulate), none of it by the pool's size",
        finding.statement());
    assertEquals(1, passes(finding, Effect.POOL_WAIT, Effect.STOPPED), 1e-9);
    // Coincidence is not enough to clear the pool.
    assertFalse(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void noRecordedWaitIsEvidenceAgainstASmallPool() {
    Finding finding = only(incident().recorded(Signal.THREAD_PARKS, 10));
    assertEquals("no connection wait over 10 ms", finding.statement());
    assertTrue(weakens(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void borrowersThatOnlyDumpsShowAreNotSaidToBeNone() {
    IncidentBuilder builder = incident().recorded(Signal.THREAD_PARKS, 10);
    builder.dump(70, 60, 4, 0, 0).dump(100, 96, 4, 0, 0);
    assertEquals(Optional.empty(), finding(builder.build()));
  }

  @Test
  void whatEndedWaitsAreDueToHoldsForTheirPartOfAllThatDumpsShow() {
    // 60 waits of 1 s ended, which the size explains. 40 threads in each dump: 40 x 60 s = 2,400 s.
    IncidentBuilder builder = waits(60, 1000).rate(10).hold(120).poolSize(1);
    Finding ended = only(builder.dump(70, 40, 0, 0, 0).dump(100, 40, 0, 0, 0));
    assertEquals(
        60.0 / 2400,
        explains(ended, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT),
        1e-9);
  }

  /** Ten connections, all in calls of that length, and three thousand seconds of waiting. */
  private static IncidentBuilder inCalls(double millis) {
    return waits(600, 3000)
        .recorded(Signal.SOCKET_READS)
        .waits((int) (600_000 / millis), 60, 120, WaitKind.DOWNSTREAM, "db:5432", millis);
  }

  private static boolean isTie(Finding finding) {
    return finding.inseparable().stream()
        .anyMatch(pair -> pair.other() == Hypothesis.SLOW_DOWNSTREAM);
  }

  @Test
  void callsLongEnoughToBeFeltMayBeWhatFillsAPoolIfNoBaselineShowsOthers() {
    assertTrue(isTie(only(inCalls(300).withoutBaseline())));
    assertFalse(isTie(only(inCalls(40).withoutBaseline())));
    assertFalse(isTie(only(inCalls(300).withoutBaseline().hold(300))));
  }
}
