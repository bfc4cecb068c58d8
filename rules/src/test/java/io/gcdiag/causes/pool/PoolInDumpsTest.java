package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class PoolInDumpsTest {

  private static Optional<Finding> finding(MeasuredIncident incident) {
    return new PoolInDumps("pool-wait", incident).finding();
  }

  private static Finding only(IncidentBuilder builder) {
    return finding(builder.build()).orElseThrow();
  }

  private static void assertSilent(IncidentBuilder builder) {
    assertEquals(Optional.empty(), finding(builder.build()));
  }

  @Test
  void waitersInADumpShowThatThePoolWasEmpty() {
    // 187 + 10 + 0 + 3 = 200 threads.
    Finding finding = only(incident().dump(82, 187, 10, 0, 3));
    assertEquals(
        "in one dump 187 of 200 threads wait for a connection (HikariCP) and 10 request threads"
            + " use one",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  /** Three dumps, ten seconds apart, of threads that have used a millisecond more in each. */
  private static IncidentBuilder inThreeDumps(LongFunction<List<ThreadState>> ofCpuMicros) {
    return incident()
        .dump(70, ofCpuMicros.apply(1_000), 1.00)
        .dump(80, ofCpuMicros.apply(2_000), 1.02)
        .dump(90, ofCpuMicros.apply(3_000), 1.04);
  }

  private static List<ThreadState> nestedAndBorrowers(long cpuMicros) {
    List<ThreadState> threads = new ArrayList<>(Threads.nested(4, cpuMicros));
    callersAndBorrowers(cpuMicros).stream()
        .filter(thread -> thread.activity() == ThreadActivity.WAITING_FOR_POOL)
        .forEach(threads::add);
    return threads;
  }

  @Test
  void aPoolWhoseConnectionsAreHeldByThoseThatWaitForASecondIsTooSmall() {
    Finding finding = only(inThreeDumps(PoolInDumpsTest::nestedAndBorrowers));
    assertEquals(
        "in one dump 34 of 34 threads wait for a connection (HikariCP) and no request thread uses"
            + " one; of those that wait 4 hold another meanwhile",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
  }

  private static List<ThreadState> lockedAndBorrowers(long cpuMicros) {
    List<ThreadState> threads = new ArrayList<>();
    for (ThreadState thread : callersAndBorrowers(cpuMicros)) {
      threads.add(
          thread.activity() == ThreadActivity.IN_DOWNSTREAM_CALL
              ? Threads.thread(
                  thread.name(),
                  "WAITING",
                  ThreadActivity.WAITING_FOR_LOCK,
                  "HSQLDB (lock of a row or table)",
                  true,
                  thread.standing())
              : thread);
    }
    return threads;
  }

  @Test
  void connectionsWhoseHoldersWaitForALockAreKeptByIt() {
    Finding finding = only(inThreeDumps(PoolInDumpsTest::lockedAndBorrowers));
    assertEquals(1, passes(finding, Effect.POOL_WAIT, Effect.LOCK_WAIT));
  }

  @Test
  void whatKeepsThePoolAtWorkMayBeSlowAnswersWhereNoRecordingTellsTheirLength() {
    Finding alone = only(incident().dump(82, 187, 10, 0, 3));
    assertTrue(supports(alone, Hypothesis.SLOW_DOWNSTREAM));
    Finding beside = only(incident().dump(82, 187, 10, 0, 3).recorded(Signal.SOCKET_READS, 10));
    assertFalse(supports(beside, Hypothesis.SLOW_DOWNSTREAM));
  }

  private static List<ThreadState> callersAndBorrowers(long cpuMicros) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 34; i++) {
      boolean calls = i < 4;
      threads.add(
          Threads.thread(
              "http-" + i,
              calls ? "RUNNABLE" : "TIMED_WAITING",
              calls ? ThreadActivity.IN_DOWNSTREAM_CALL : ThreadActivity.WAITING_FOR_POOL,
              calls ? "PostgreSQL" : "HikariCP",
              true,
              Made.position(calls ? 7 : 8, "com.shop.Orders.find", cpuMicros * 1_000)));
    }
    return threads;
  }

  @Test
  void callsOfUnknownLengthMayHaveBecomeSlowOrNot() {
    Finding finding = only(inThreeDumps(PoolInDumpsTest::callersAndBorrowers));
    assertEquals(0.5, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
    assertEquals(0.5, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
  }

  @Test
  void twiceAsManyRequestsThatHoldAConnectionAsBrieflyMakeThePoolTooSmall() {
    // 4 in use at 180 a second: 22 ms each; before, at 80 a second, a request took 20 ms in all.
    Finding finding =
        only(inThreeDumps(PoolInDumpsTest::callersAndBorrowers).requests(80, 180, 20, 200));
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
  }

  @Test
  void connectionsThatAreHeldForLongerThanARequestTookAreInSlowCalls() {
    // 4 in use at 40 a second: 100 ms each.
    Finding finding =
        only(inThreeDumps(PoolInDumpsTest::callersAndBorrowers).requests(40, 40, 20, 800));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
  }

  @Test
  void aWholeRunThatCouldNotFillThePoolSaysThatCallsAreLonger() {
    // 6,000 requests in the 20 s of the dumps at 2 ms: 0.6 of 4; at 50 a second 80 ms each.
    Finding finding =
        only(
            inThreeDumps(PoolInDumpsTest::callersAndBorrowers)
                .withoutBaseline()
                .loadTest(50, 2, 100));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
    // At 10 ms: 3 of 4.
    Finding either =
        only(
            inThreeDumps(PoolInDumpsTest::callersAndBorrowers)
                .withoutBaseline()
                .loadTest(50, 10, 100));
    assertEquals(0.5, explains(either, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
  }

  @Test
  void theFastestOfATestThatIsKnownOverTimeMayNeedNoConnection() {
    IncidentBuilder slow =
        inThreeDumps(PoolInDumpsTest::callersAndBorrowers)
            .withoutBaseline()
            .requests(50, 50, 2, 2_000)
            .loadTest(50, 2, 100);
    assertEquals(0.5, explains(only(slow), Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
  }

  @Test
  void pausesThatNothingRecordedMayHaveKeptTheConnections() {
    // GC threads used 8.9 s in 10 s: 0.89 cores.
    Finding finding =
        only(
            incident()
                .dump(70, callersAndBorrowers(1_000), 1.0)
                .dump(80, callersAndBorrowers(2_000), 9.9));
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
    assertEquals(0, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
    assertTrue(supports(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void aPoolThatHasRoomByStatedFiguresIsKeptAtWorkByLongerCalls() {
    // 400/s x 2 ms = 0.8 of 4 connections = 20 %.
    Finding finding =
        only(
            incident()
                .rate(400)
                .hold(2)
                .poolSize(4)
                .dump(70, callersAndBorrowers(1_000), 1.00)
                .dump(80, callersAndBorrowers(2_000), 1.02));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
    assertEquals(0, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
  }

  @Test
  void aPoolAtWorkInCallsThatBecameSlowerWaitsForThese() {
    // 20 ms each before, 100 ms now.
    Finding finding =
        only(
            inThreeDumps(PoolInDumpsTest::callersAndBorrowers)
                .recorded(Signal.SOCKET_READS, 10)
                .waits(3_000, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20)
                .waits(600, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 100));
    assertEquals(1, passes(finding, Effect.POOL_WAIT, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void callsThatStandStillFromDumpToDumpAreSlow() {
    Finding finding =
        only(
            incident()
                .dump(70, callersAndBorrowers(1_000), 1.00)
                .dump(80, callersAndBorrowers(1_000), 1.02)
                .dump(90, callersAndBorrowers(1_000), 1.04));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
    assertEquals(0, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
    assertTrue(finding.inseparable().isEmpty());
  }

  @Test
  void whereNobodyCouldHoldAConnectionItIsNotThePoolsSize() {
    // 60 + 0 + 0 + 3 = 63 threads, the last three without work.
    Finding finding = only(incident().dump(82, 60, 0, 0, 3));
    assertEquals(
        "in one dump 60 of 63 threads wait for a connection (HikariCP) and no "
            + "request thread uses one; the other threads are idle",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CONNECTION_LEAK));
    assertFalse(supports(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void theDumpWithMostWaitersIsTheOneQuoted() {
    Finding finding = only(incident().dump(82, 5, 10, 0, 3).dump(84, 50, 10, 0, 3));
    assertEquals(50, value(finding, "waiting"));
  }

  @Test
  void aDumpFromOutsideTheIncidentIsReadIfThereIsNoOther() {
    Finding finding = only(incident().dump(30, 5, 10, 0, 3));
    assertEquals(5, value(finding, "waiting"));
  }

  @Test
  void aDumpWithoutWaitersSaysNothingOfThePool() {
    assertSilent(incident().dump(82, 0, 10, 5, 3));
  }

  @Test
  void withoutADumpThereIsNothingToSay() {
    assertSilent(incident());
  }

  /** One dump of two in which 16 wait for ten connections at work; nothing stopped the JVM. */
  private static Finding inOneOfTwo(double medianMillis) {
    List<ThreadState> queue = new ArrayList<>();
    for (int i = 0; i < 26; i++) {
      queue.add(
          Threads.thread(
              "http-" + i,
              "WAITING",
              i < 10 ? ThreadActivity.IN_DOWNSTREAM_CALL : ThreadActivity.WAITING_FOR_POOL,
              i < 10 ? "PostgreSQL" : "HikariCP",
              true,
              Made.position(i, "com.shop.Orders.find", 1_000_000)));
    }
    List<ThreadState> quiet =
        List.of(
            Threads.thread(
                "http-0",
                "WAITING",
                ThreadActivity.IDLE,
                "",
                true,
                Made.position(1, "", 2_000_000)));
    return only(
        incident()
            .withoutBaseline()
            .dump(70, queue, 1)
            .dump(80, quiet, 1.01)
            .loadTest(60, medianMillis, 200));
  }

  @Test
  void aPoolThatIsFullForAMomentOfTheTestIsNotMetByChance() {
    // 60/s / 2 x 10 ms / 10 = 3 % of the test; by 10 / 60/s each is held for 167 ms.
    assertEquals(1, explains(inOneOfTwo(10), Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT), 1e-9);
    // At 20 ms 6 %, which a dump may meet.
    Finding either = inOneOfTwo(20);
    assertEquals(0, explains(either, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT));
    assertTrue(supports(either, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }
}
