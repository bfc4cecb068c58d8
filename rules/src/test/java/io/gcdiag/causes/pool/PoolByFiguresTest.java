package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolByFiguresTest {

  private static Optional<Finding> finding(MeasuredIncident incident) {
    return new PoolByFigures("pool-wait", incident).finding();
  }

  private static Finding only(IncidentBuilder builder) {
    return finding(builder.build()).orElseThrow();
  }

  private static void assertSilent(IncidentBuilder builder) {
    assertEquals(Optional.empty(), finding(builder.build()));
  }

  @Test
  void demandThatThePoolCoversWithRoomRulesASmallPoolOut() {
    // 813/s x 4.32 ms = 3.512 connections; of 10: 35.1 %.
    Finding finding = only(incident().rate(813).hold(4.32).poolSize(10));
    assertEquals(
        "Little's law: the demand needs 3.51 connections of a pool of 10 (35.1 % in use)",
        finding.statement());
    assertEquals(
        "connections needed = rate x hold = 813/s x 4.32 ms = 3.51", finding.arithmetic().get(0));
    assertEquals(0.3512, value(finding, "utilisation"), 0.0001);
    assertEquals(
        "3.51 of 10 connections are enough", finding.brief(Hypothesis.CONNECTION_POOL_UNDERSIZED));
    assertTrue(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void aDemandOfLessThanAHundredthIsNotZero() {
    // 10/s x 0.109 ms = 0.00109.
    Finding finding = only(incident().rate(10).hold(0.109).poolSize(20));
    assertTrue(
        finding.statement().startsWith("Little's law: the demand needs 0.00109 connections"),
        finding::statement);
  }

  @Test
  void theRateIsThatOfTheWindowWhereItIsKnown() {
    // 100 requests a second before, 200 during, and 5 ms each: 200/s x 5 ms = 1.
    Finding finding = only(incident().requests(100, 200).hold(5).poolSize(10));
    assertEquals(1, value(finding, "connectionsNeeded"), 1e-9);
  }

  @Test
  void roomAtTheLargerRateRulesItOutToo() {
    // 1000/s x 4.32 ms = 4.32.
    Finding finding = only(incident().rate(1000).hold(4.32).poolSize(10));
    assertEquals(4.32, value(finding, "connectionsNeeded"), 1e-9);
    assertTrue(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void fortyShortQueriesPerRequestNeedFewConnections() {
    // 40 x 0.3 ms = 12 ms held; 120/s x 12 ms = 1.44 of 10.
    Finding finding = only(incident().rate(120).hold(12).poolSize(10));
    assertEquals(1.44, value(finding, "connectionsNeeded"), 1e-9);
    assertTrue(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void demandBeyondThePoolSpeaksForASmallPool() {
    // 1000/s x 12 ms = 12 of 10.
    Finding finding = only(incident().rate(1000).hold(12).poolSize(10));
    assertEquals(
        "Little's law: the demand needs 12.00 connections of a pool of 10 (120.0 % in use)",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void aBoundMayClearThePool() {
    // Requests take 5 ms on average, so a connection is held at most that; of the test's 24,000 in
    // two minutes all may have been in this one: at most 400/s x 5 ms = 2 of 10.
    Finding finding = only(incident().loadTest(200, 5).poolSize(10));
    assertEquals(
        "Little's law: the demand needs at most 2.00 connections of a pool of 10"
            + " (at most 20.0 % in use)",
        finding.statement());
    assertEquals(
        "connections needed = rate x hold = at most 400/s x at most 5 ms = 2.00",
        finding.arithmetic().get(0));
    assertTrue(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void aMeanOfTheWholeTestIsNoBoundWhereTheIncidentsIsKnown() {
    // 7/s x 365 ms = at most 2.56 of 3; the 181 ms of both minutes would be 1.27.
    Finding finding = only(incident().loadTest(7, 181).requests(7, 60, 365).poolSize(3));
    assertEquals(2.555, value(finding, "connectionsNeeded"), 0.02);
    assertEquals(List.of(), finding.bearings());
  }

  @Test
  void aBoundDoesNotAccuseThePool() {
    // 1000/s x 20 ms = at most 20 of 10: connections may well be held for less.
    Finding finding = only(incident().loadTest(1000, 20).poolSize(10));
    assertEquals(List.of(), finding.bearings());
  }

  @Test
  void requestsOfLessThanTheLeastThatTheLoadTestCountsBoundNothing() {
    // JMeter writes 0 for what takes less than a millisecond.
    assertSilent(incident().loadTest(1000, 0).poolSize(10));
  }

  @Test
  void connectionsSeenInUseWhileOthersWaitBoundTheSize() {
    // 187 wait while 10 talk: the pool holds 10 at least. 813/s x 4.32 ms = 3.51 of them.
    Finding finding = only(incident().rate(813).hold(4.32).dump(70, 187, 10, 0, 3));
    assertTrue(finding.statement().contains("of a pool of at least 10"), finding::statement);
    assertTrue(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void aSingleCallAtATimeShowsNoPool() {
    // 10/s x 5 ms, one after the other: 0.05 calls at a time.
    assertSilent(
        incident().rate(10).hold(5).waits(600, 60, 120, WaitKind.DOWNSTREAM, "mail:25", 5));
    // 100/s x 50 ms: five at a time.
    assertTrue(
        only(incident().rate(10).hold(5).waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 50))
            .statement()
            .contains("of a pool of at least 5"));
  }

  @Test
  void recordedCallsStandInForRateAndHold() {
    // 600 calls of 50 ms in 60 s: 10/s x 50 ms = 0.5 connections.
    Finding finding =
        only(incident().poolSize(10).waits(600, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 50));
    assertEquals(0.5, value(finding, "connectionsNeeded"), 1e-6);
  }

  @Test
  void aRequestHoldsItsConnectionForAllItsCalls() {
    // 600 calls of 50 ms for 1/s x 60 s = 60 requests: ten calls each, 500 ms. 1/s x 500 ms = 0.5.
    Finding finding =
        only(
            incident()
                .rate(1)
                .poolSize(10)
                .waits(600, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 50));
    assertEquals(0.5, value(finding, "holdSeconds"), 1e-6);
    assertEquals(0.5, value(finding, "connectionsNeeded"), 1e-6);
  }

  @Test
  void aPoolSeenAtWorkWhileOthersWaitHasNoRoomWhateverTheMean() {
    // From 70 to 80 s both connections are at work and a third borrower waits. Over the minute
    // that is 20 s of calls for 60 requests, 333 ms each: 1/s x 333 ms = 0.33 of 2.
    IncidentBuilder builder =
        incident().rate(1).poolSize(2).waited(WaitKind.POOL, "HikariCP", 71, 8000);
    for (int i = 0; i < 2; i++) {
      builder.waits(10, 70, 80, WaitKind.DOWNSTREAM, "db:5432", 1000);
    }
    Finding finding = only(builder);
    assertEquals(0.333, value(finding, "connectionsNeeded"), 0.001);
    assertFalse(refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void callsOfWhichPausesLeaveNoTimeStandForNoHold() {
    // Ten calls that last as long as the pause of 250 ms in them.
    IncidentBuilder builder = incident().rate(100).poolSize(10).pause(young(70, 250));
    for (int i = 0; i < 10; i++) {
      builder.waited(WaitKind.DOWNSTREAM, "db:5432", 70, 250);
    }
    assertSilent(builder);
  }

  @Test
  void aHoldOfNoTimeStandsForNoHold() {
    assertSilent(incident().rate(100).hold(0).poolSize(10));
  }

  @Test
  void withoutTheSizeThereIsNothingToSay() {
    assertSilent(incident().rate(813).hold(4.32));
  }
}
