package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static io.gcdiag.sketches.Threads.NOWHERE;
import static io.gcdiag.sketches.Threads.nested;
import static io.gcdiag.sketches.Threads.thread;
import static io.gcdiag.sketches.Threads.threads;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Doing;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Time;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.ConnectionsInUse;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeptConnectionsInDumpsTest {

  private static Optional<Finding> finding(MeasuredIncident incident) {
    return new PoolInDumps("pool-wait", incident).finding();
  }

  private static Finding only(IncidentBuilder builder) {
    return finding(builder.build()).orElseThrow();
  }

  private static void assertSilent(IncidentBuilder builder) {
    assertEquals(Optional.empty(), finding(builder.build()));
  }

  /** Nothing says whether the connections are kept. */
  private void assertUndecided(IncidentBuilder builder) {
    for (Finding finding : finding(builder.build()).stream().toList()) {
      assertEquals(0, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT));
      assertFalse(refutes(finding, Hypothesis.CONNECTION_LEAK));
    }
  }

  @Test
  void borrowersWaitAndNobodyWorksOnAConnection() {
    Finding finding = only(incident().dump(70, 40, 0, 0, 5).dump(100, 100, 0, 0, 5));
    assertEquals(
        "in one dump 100 of 105 threads wait for a connection (HikariCP) and in 2 dumps no thread uses"
            + " one",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void moreThreadsThanThereAreConnectionsBehindTheOneThatAsksAreNextAndHoldNone() {
    CodePlace asks = new CodePlace("club.Store.connection", 608);
    CodePlace next = new CodePlace("club.Store.connection", 598);
    List<ThreadState> threads = new ArrayList<>();
    threads.add(
        thread(
            "exec-0",
            "TIMED_WAITING",
            ThreadActivity.WAITING_FOR_POOL,
            "Vibur",
            true,
            Made.positionIn(asks)));
    for (int i = 1; i <= 57; i++) {
      threads.add(
          thread(
              "exec-" + i,
              "BLOCKED",
              ThreadActivity.WAITING_FOR_LOCK,
              "club.Store",
              true,
              Made.positionIn(next)));
    }
    LockOwner owner =
        new LockOwner(
            57, "exec-0", Optional.of(WaitKind.POOL), "Vibur", Optional.of(asks), Optional.empty());
    IncidentBuilder incident =
        incident()
            .dump(70, threads, Deadlocks.NONE, List.of(owner))
            .dump(100, threads, Deadlocks.NONE, List.of(owner));
    // Of a pool of unknown size they may hold all by some other way.
    assertEquals(0.5, explains(only(incident), Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT));
    Finding finding =
        only(
            incident()
                .dump(70, threads, Deadlocks.NONE, List.of(owner))
                .dump(100, threads, Deadlocks.NONE, List.of(owner))
                .poolSize(12));
    assertEquals(
        "in one dump 58 of 58 threads wait for a connection (Vibur, 57 of them for the lock of the"
            + " thread that requests one) and in 2 dumps no thread uses one",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void threadsBehindALockWhoseOwnerWaitsForAConnectionMayHoldTheOthers() {
    List<ThreadState> threads = new ArrayList<>();
    threads.addAll(threads("exec-", 90, ThreadActivity.WAITING_FOR_POOL, true));
    threads.addAll(threads("exec-", 4, ThreadActivity.WAITING_FOR_LOCK, true));
    LockOwner owner =
        new LockOwner(
            4,
            "exec-0",
            Optional.of(WaitKind.POOL),
            "HikariCP",
            Optional.empty(),
            Optional.empty());
    Finding finding =
        only(
            incident()
                .dump(70, threads, Deadlocks.NONE, List.of(owner))
                .dump(100, threads, Deadlocks.NONE, List.of(owner)));
    // Either they hold what the owner waits for, or what it waits for was never returned.
    assertEquals(0.5, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT));
    assertEquals(0.5, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT));
    assertEquals(1, finding.inseparable().size());
  }

  @Test
  void borrowersThatHoldAConnectionMeanwhileDoNotLeakIt() {
    List<ThreadState> threads = new ArrayList<>();
    threads.addAll(threads("exec-", 90, ThreadActivity.WAITING_FOR_POOL, true));
    threads.addAll(nested(10, 1_000));
    IncidentBuilder builder = incident().dump(70, threads).dump(100, threads);
    assertFalse(
        finding(builder.build()).stream()
            .anyMatch(
                finding -> explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT) > 0));
  }

  @Test
  void callsOfHoldersToOthersDoNotPutTheirConnectionsToWork() {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.SOCKET_READS, 20)
            .waits(100, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 21)
            .waits(300, 60, 120, WaitKind.POOL, "HikariCP", 500)
            .dump(70, 60, 4, 0, 0)
            .dump(100, 96, 4, 0, 0);
    for (int second = 60; second < 120; second++) {
      // Ten holds a second of 30 ms each, 21 ms of them in a call to the partner.
      builder.sample(
          new PoolHold(
              at(second),
              "HikariCP",
              10,
              0.3,
              Map.of(new Doing(Kind.OTHER_CALL, "partner:80"), new Time(10, 0.21)),
              Map.of(),
              new Source("recording.jfr", "jdk.SocketRead")));
    }
    assertUndecided(builder);
  }

  /** So many virtual threads without a name. */
  private static List<ThreadState> virtual(int count, ThreadActivity activity, String subject) {
    return Collections.nCopies(
        count,
        new ThreadState("", "WAITING", activity, subject, false, true, NOWHERE, true, false));
  }

  @Test
  void virtualThreadsWithoutANameHoldWhatOthersOfThemWaitFor() {
    String pool = InferredServer.pool("shop.Shop.sell");
    List<ThreadState> threads = new ArrayList<>();
    threads.addAll(virtual(20, ThreadActivity.WAITING_FOR_POOL, pool));
    threads.addAll(virtual(5, ThreadActivity.IN_DOWNSTREAM_CALL, "HttpURLConnection"));
    // Two dumps with five calls each: what they took out of the pool is at work.
    assertFalse(
        finding(incident().dump(70, threads).dump(100, threads).build()).stream()
            .anyMatch(
                finding -> explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT) > 0));
  }

  private static List<ThreadState> before(String pool, boolean ofService, int queries) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      threads.add(thread("w-" + i, "", ThreadActivity.WAITING_FOR_POOL, pool, true, ofService));
    }
    for (int i = 0; i < 8; i++) {
      threads.add(
          thread("h-" + i, "", ThreadActivity.IN_DOWNSTREAM_CALL, "JDK HttpClient", true, true));
    }
    for (int i = 0; i < queries; i++) {
      threads.add(thread("q-" + i, "", ThreadActivity.IN_DOWNSTREAM_CALL, "PostgreSQL", true));
    }
    return threads;
  }

  /** Twenty wait for a connection, four are in calls of a client with another name. */
  private static List<ThreadState> sdk(String waitingAt, String callingAt) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      boolean waits = i < 20;
      threads.add(
          new ThreadState(
              "w-" + i,
              "",
              waits ? ThreadActivity.WAITING_FOR_POOL : ThreadActivity.IN_DOWNSTREAM_CALL,
              waits ? "Apache HttpClient 4" : "AWS SDK",
              true,
              true,
              Made.positionIn(new CodePlace(waits ? waitingAt : callingAt, 44)),
              false,
              false));
    }
    return threads;
  }

  @Test
  void aClientThatIsBuiltOnAnotherUsesItsConnections() {
    MeasuredIncident same = incident().dump(70, sdk("Charts.draw", "Charts.draw")).build();
    assertEquals(4, ConnectionsInUse.count(same.timeline().dumps().get(0)));
    // From elsewhere in the service it may as well have a pool of its own.
    MeasuredIncident other = incident().dump(70, sdk("Charts.draw", "Mails.send")).build();
    assertEquals(0, ConnectionsInUse.count(other.timeline().dumps().get(0)));
  }

  @Test
  void callsToAServiceDoNotPutADatabasesConnectionsToWork() {
    Finding finding = only(callsToAService().recorded(Signal.SOCKET_READS, 20));
    assertEquals(
        "in one dump 20 of 28 threads wait for a connection (Agroal) and in 3 dumps hardly any request"
            + " uses one; meanwhile requests are in other downstream calls: JDK HttpClient",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void whoWaitsForARowOfADatabaseInThisJvmUsesAConnection() {
    List<ThreadState> threads = new ArrayList<>(before("HikariCP", false, 0));
    for (int i = 0; i < 10; i++) {
      String lock = "HSQLDB (lock of a row or table)";
      threads.add(thread("r-" + i, "WAITING", ThreadActivity.WAITING_FOR_LOCK, lock, true, false));
    }
    MeasuredIncident incident = incident().dump(70, threads).dump(100, threads).build();
    assertEquals(10, ConnectionsInUse.count(incident.timeline().dumps().get(0)));
    assertTrue(
        finding(incident).stream()
            .noneMatch(f -> explains(f, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT) > 0));
  }

  private static IncidentBuilder callsToAService() {
    return incident()
        .dump(70, before("Agroal", false, 0))
        .dump(90, before("Agroal", false, 1))
        .dump(110, before("Agroal", false, 0));
  }

  @Test
  void callsOfUnknownLengthMayAsWellHaveBecomeSlow() {
    Finding finding = only(callsToAService());
    assertEquals(0.5, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
    assertEquals(0.5, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT), 1e-9);
    assertEquals(Hypothesis.SLOW_DOWNSTREAM, finding.inseparable().get(0).other());
  }

  @Test
  void moreRequestsWhoseCallsAreAsLongAsBeforeMakeItThePoolOrTheHolding() {
    // 8 held at 160 a second: 50 ms each; before, at 80 a second, a request took 60 ms in all.
    Finding fed = only(callsToAService().requests(80, 160, 60, 400));
    assertEquals(0.5, explains(fed, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
    assertEquals(0.5, explains(fed, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT), 1e-9);
    assertEquals(0, explains(fed, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT), 1e-9);
    // At 80 a second as before each is held for 100 ms.
    Finding longer = only(callsToAService().requests(80, 80, 60, 400));
    assertEquals(0.5, explains(longer, Hypothesis.SLOW_DOWNSTREAM, Effect.POOL_WAIT), 1e-9);
  }

  /** Ten threads that wait in line 35 of a method, and one that sleeps in another line of it. */
  private static List<ThreadState> oneSleeps(int line) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      boolean waits = i > 0;
      threads.add(
          thread(
              "estimator-" + i,
              "TIMED_WAITING",
              waits ? ThreadActivity.WAITING_FOR_POOL : ThreadActivity.SLEEPING,
              waits ? "HikariCP" : "",
              false,
              Made.positionIn(new CodePlace("com.shop.Jobs.estimate", waits ? 35 : line))));
    }
    return threads;
  }

  @Test
  void whoIsFurtherOnThanThoseThatWaitHasGotAConnection() {
    assertUndecided(incident().dump(70, oneSleeps(40)).dump(100, oneSleeps(40)));
    // In line 20 it has not asked for one yet.
    Finding none = only(incident().dump(70, oneSleeps(20)).dump(100, oneSleeps(20)));
    assertEquals(1, explains(none, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void aPoolOfThatServicesClientsIsAtWorkInSuchCalls() {
    IncidentBuilder builder =
        incident()
            .dump(70, before("JDK HttpClient", true, 0))
            .dump(90, before("JDK HttpClient", true, 0));
    assertEquals(8, ConnectionsInUse.count(builder.build().timeline().dumps().get(0)));
    assertUndecided(
        incident().dump(70, before("Agroal", false, 1)).dump(90, before("Agroal", false, 1)));
  }

  @Test
  void threadsOfTheBorrowersExecutorPutTheConnectionsToWork() {
    // The event loops that serve the requests have handed the work over, and are idle.
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ThreadActivity activity =
          i < 10 ? ThreadActivity.WAITING_FOR_POOL : ThreadActivity.IN_DOWNSTREAM_CALL;
      String subject = i < 10 ? "HikariCP" : "H2";
      threads.add(thread("elastic-" + i, "WAITING", activity, subject, false));
    }
    threads.add(thread("loop-1", "RUNNABLE", ThreadActivity.IDLE, "", true));
    MeasuredIncident incident = incident().dump(70, threads).dump(100, threads).build();
    assertEquals(10, ConnectionsInUse.count(incident.timeline().dumps().get(0)));
    assertTrue(
        finding(incident).stream()
            .noneMatch(f -> explains(f, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT) > 0));
  }

  @Test
  void whatThreadsThatWaitForACoreHoldIsReturnedWhenTheyGetIt() {
    List<ThreadState> threads = new ArrayList<>();
    threads.addAll(threads("exec-", 40, ThreadActivity.WAITING_FOR_POOL, true));
    threads.addAll(threads("exec-at-work-", 6, ThreadActivity.RUNNING, true));
    IncidentBuilder builder = incident().dump(70, threads).dump(100, threads);
    Finding idle = only(builder.cpu(30, 0.2, 0.3).cpu(90, 0.2, 0.3));
    assertEquals(1, explains(idle, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
    IncidentBuilder full = onFullCores(threads);
    assertUndecided(full);
    assertEquals(1, passes(only(full), Effect.POOL_WAIT, Effect.CPU_QUEUE), 1e-9);
    // 4,800 waits of 500 ms in a minute are 40 threads, as in the dumps: pool-wait splits these.
    IncidentBuilder recorded =
        onFullCores(threads).waits(4800, 60, 120, WaitKind.POOL, "HikariCP", 500);
    assertEquals(0, passes(only(recorded), Effect.POOL_WAIT, Effect.CPU_QUEUE), 1e-9);
  }

  private static IncidentBuilder onFullCores(List<ThreadState> threads) {
    return incident()
        .recorded(Signal.CPU_LOAD)
        .dump(70, threads)
        .dump(100, threads)
        .cpu(30, 0.2, 0.3)
        .cpu(90, 0.95, 0.99);
  }

  @Test
  void aPoolAtWorkClearsIt() {
    // 20 ms is the threshold and 21 ms a call: what the recording hides the dumps show.
    Finding finding =
        only(
            incident()
                .recorded(Signal.SOCKET_READS, 20)
                .waits(100, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 21)
                .waits(300, 60, 120, WaitKind.POOL, "HikariCP", 500)
                .dump(70, 60, 4, 0, 0)
                .dump(100, 96, 4, 0, 0));
    assertEquals(
        "in one dump 96 of 100 threads wait for a connection (HikariCP) and 4 request threads use one",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.CONNECTION_LEAK));
  }

  @Test
  void aSingleDumpOrAnApplicationThatStopsOftenShowsNothing() {
    assertUndecided(incident().dump(70, 40, 0, 0, 5));
    // 30 x 100 ms of 60 s: stopped for 5 % of the time.
    assertUndecided(
        incident().pauses(30, 60, 120, young(0, 100)).dump(70, 40, 0, 0, 5).dump(100, 40, 0, 0, 5));
  }

  @Test
  void oneOfTwoDumpsIsEnoughIfManyWaitAndNobodyIsAtWork() {
    Finding finding = only(incident().dump(70, 0, 0, 0, 5).dump(100, 40, 0, 0, 5));
    assertEquals(
        "in one dump 40 of 45 threads wait for a connection (HikariCP) and no thread uses one",
        finding.statement());
    // Three may wait while one connection is handed on, and who computes may hold one.
    assertUndecided(incident().dump(70, 0, 0, 0, 5).dump(100, 3, 0, 0, 5));
    assertUndecided(incident().dump(70, 0, 0, 0, 5).dump(100, 40, 0, 1, 5));
  }

  @Test
  void oneDumpIsEnoughIfNoneOfItsWaitsEndedInFiveSeconds() {
    IncidentBuilder stuck = incident().recorded(Signal.THREAD_PARKS, 20).dump(115, 40, 0, 0, 5);
    assertEquals(1, explains(only(stuck), Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT));
    // 40 a second, of one second each: as many as wait in the dump get a connection in a second.
    assertUndecided(
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .waits(2_400, 60, 120, WaitKind.POOL, "HikariCP", 999)
            .dump(115, 40, 0, 0, 5));
    // One who runs may hold what they wait for.
    assertUndecided(incident().recorded(Signal.THREAD_PARKS, 20).dump(115, 40, 0, 1, 5));
  }

  @Test
  void requestsAfterTheRecordingWaitBehindThoseThatGetNone() {
    // All 40 request threads wait at the end: nothing else is left for a request to do.
    Finding all = only(incident().recorded(Signal.THREAD_PARKS, 20).dump(115, 40, 0, 0, 0));
    assertEquals(1, passes(all, Effect.UNACCOUNTED, Effect.POOL_WAIT), 1e-9);
    // Of 100 request threads 60 are idle: requests may be served that need no connection.
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ThreadActivity activity = i < 40 ? ThreadActivity.WAITING_FOR_POOL : ThreadActivity.IDLE;
      threads.add(thread("w-" + i, "", activity, i < 40 ? "HikariCP" : "", true, true));
    }
    Finding some = only(incident().recorded(Signal.THREAD_PARKS, 20).dump(115, threads));
    assertEquals(0, passes(some, Effect.UNACCOUNTED, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void aPoolThatNobodyWorksOnIsNotAtWorkHoweverFewWaitsEnded() {
    // Two waits of 20 ms, while all connections were in calls; then none came back.
    IncidentBuilder builder =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .waits(50, 60, 70, WaitKind.DOWNSTREAM, "db:5432", 15)
            .waits(2, 62, 63, WaitKind.POOL, "HikariCP", 10)
            .dump(115, 40, 0, 1, 5);
    assertUndecided(builder);
  }

  @Test
  void withoutBorrowersThatWaitThereIsNothingToSay() {
    assertSilent(incident().dump(70, 0, 0, 3, 5).dump(100, 0, 0, 3, 5));
  }
}
