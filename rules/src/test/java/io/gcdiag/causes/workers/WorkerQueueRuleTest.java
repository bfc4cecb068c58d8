package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.passes;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.Threads.all;
import static io.gcdiag.sketches.Threads.thread;
import static io.gcdiag.sketches.Threads.threads;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import io.gcdiag.sketches.WorkerSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class WorkerQueueRuleTest {

  private static final double EXACT = 1e-9;

  private final Rule rule = new WorkerQueueRule();

  @Test
  void requestsBeyondTheThreadsWaitForOne() {
    // 100/s that take 2,400 ms (the median stands for the mean): 240 in the system, 8 of them on a
    // thread. The calls are as fast as ever, so the threads are too few.
    List<ThreadState> dump = threads("exec-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true);
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .dump(70, dump)
                .dump(90, dump)
                .loadTestFrom(80, 2400)
                .rate(100));
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
    assertEquals(8, finding.values().get("threads"));
    assertEquals(
        finding.values().get("requestsInSystem") - 8,
        finding.values().get("waitingForAThread"),
        EXACT);
  }

  /**
   * More requests in the system than the server has threads wait whenever a dump is taken: one that
   * finds a free thread, of the time between two bursts, takes nothing away.
   */
  @Test
  void callsThatOnlyDumpsOfTheIncidentShowMayHaveBecomeLonger() {
    // 40 a second of 800 ms are 32 at a time, and 8 threads are all in calls.
    List<ThreadState> busy = threads("exec-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true);
    IncidentBuilder both = incident().requests(40, 40, 20, 800).dump(70, busy).dump(90, busy);
    assertEquals(Hypothesis.SLOW_DOWNSTREAM, only(rule, both).inseparable().get(0).other());
  }

  @Test
  void aFurtherDumpThatFindsAFreeThreadMakesNoQueueOfAServerShorter() {
    List<ThreadState> busy = threads("exec-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true);
    List<ThreadState> free =
        all(
            threads("exec-", 7, ThreadActivity.IN_DOWNSTREAM_CALL, true),
            threads("exec-9", 1, ThreadActivity.IDLE, true));
    Supplier<IncidentBuilder> two =
        () ->
            incident()
                .withoutBaseline()
                .loadTestFrom(80, 2400)
                .rate(100)
                .dump(70, busy)
                .dump(90, free);
    double waiting = only(rule, two.get()).values().get("waitingForAThread");
    Finding three = only(rule, two.get().dump(110, free));
    assertEquals(waiting, three.values().get("waitingForAThread"), EXACT);
    assertEquals(
        three.values().get("requestsInSystem") - 8, three.values().get("waitingForAThread"), EXACT);
    assertTrue(three.statement().contains(" in 1 of 3 dumps"), three::statement);
    // Nothing says how long these calls usually take.
    assertEquals(Hypothesis.SLOW_DOWNSTREAM, three.inseparable().get(0).other());
  }

  /**
   * Eight threads that rested for 80 % of the baseline, a load test that counts the requests of
   * both windows, and calls of which the baseline has no event.
   */
  private static IncidentBuilder rested(int before, int during) {
    List<ThreadState> busy = threads("exec-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true);
    IncidentBuilder builder =
        incident().requests(before, during, 20, 2_000).dump(70, busy).dump(90, busy);
    // In each five seconds they have 40 thread-seconds.
    WorkerSketch.group(builder, 0, 60, "exec-N", true, 8, 0, Map.of(WaitKind.IDLE, 32.0));
    WorkerSketch.group(builder, 60, 120, "exec-N", true, 8, 8, Map.of());
    return builder;
  }

  @Test
  void threadsThatAsManyRequestsLeftFreeAreKeptLonger() {
    // 20 % of their time at 50/s: at 55/s they would be busy for 22 % of it.
    assertEquals(
        1, passes(only(rule, rested(50, 55)), Effect.WORKER_WAIT, Effect.DOWNSTREAM_WAIT), EXACT);
  }

  /** 40 a second of 800 ms are 32 at a time, before 0.8; so many wait for a lock by events. */
  private static double queuedBeside(int locked) {
    List<ThreadState> busy = threads("exec-", 8, ThreadActivity.RUNNING, true);
    IncidentBuilder builder = incident().requests(40, 40, 20, 800).dump(70, busy).dump(90, busy);
    for (int thread = 0; thread < locked; thread++) {
      builder.waits(60, 60, 120, WaitKind.LOCK, "Cart", 1_000);
    }
    return builder.build().effects().excessSeconds(Effect.WORKER_WAIT) / 60;
  }

  @Test
  void noMoreWaitForAThreadThanTheRequestsThatAreNotSeenElsewhere() {
    assertEquals(32 - 8, queuedBeside(0), 0.2);
    assertEquals(32 - 0.8 - 30, queuedBeside(30), 0.2);
  }

  /** Seven wait for a connection, and the eighth has one while it is in a call. */
  @Test
  void aCallOfOneThatHasWhatTheOthersWaitForIsNotWhatKeepsThem() {
    List<ThreadState> dump =
        all(
            threads("exec-", 7, ThreadActivity.WAITING_FOR_POOL, true),
            threads("exec-9", 1, ThreadActivity.IN_DOWNSTREAM_CALL, true));
    IncidentBuilder builder = incident().requests(50, 55, 20, 2_000).dump(70, dump).dump(90, dump);
    WorkerSketch.group(builder, 0, 60, "exec-N", true, 8, 0, Map.of(WaitKind.IDLE, 32.0));
    WorkerSketch.group(builder, 60, 120, "exec-N", true, 8, 8, Map.of());
    assertEquals(1, passes(only(rule, builder), Effect.WORKER_WAIT, Effect.POOL_WAIT), EXACT);
  }

  @Test
  void fiveTimesTheRequestsFillThemWithTheSameCalls() {
    // 5 x 20 %
    assertEquals(
        1,
        explains(only(rule, rested(20, 100)), Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT),
        EXACT);
  }

  @Test
  void twoThreadsThatOneOfTwoDumpsFindsAtWorkMayBeSoByChance() {
    List<ThreadState> busy = threads("loop-", 2, ThreadActivity.RUNNING, true);
    List<ThreadState> free =
        all(
            threads("loop-", 1, ThreadActivity.RUNNING, true),
            threads("loop-x", 1, ThreadActivity.IDLE, true));
    IncidentBuilder once = incident().withoutBaseline().loadTestFrom(80, 2400).rate(100);
    // Threads that work half of the time: 1 - (1 - 0.5 x 0.5)^2 = 44 %; in both dumps 6.25 %.
    assertSilent(rule, once.dump(70, busy).dump(90, free));
    only(
        rule,
        incident()
            .withoutBaseline()
            .loadTestFrom(80, 2400)
            .rate(100)
            .dump(70, busy)
            .dump(90, busy));
  }

  @Test
  void threadsThatSleepInALimiterHandTheQueueToTheirSleeping() {
    List<ThreadState> dump = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      dump.add(thread("exec-" + i, "TIMED_WAITING", ThreadActivity.SLEEPING, "Bucket4j", true));
    }
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .dump(70, dump)
                .dump(90, dump)
                .loadTestFrom(80, 2400)
                .rate(100));
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.SLEEP), EXACT);
  }

  /** Ten consumers before one lock, by a pool that keeps an eleventh thread; 240 in the system. */
  @Test
  void aSpareThreadOfAPoolHidesNoQueue() {
    List<ThreadState> dump =
        all(
            threads("task-", 9, ThreadActivity.WAITING_FOR_LOCK, false),
            threads("task-1", 1, ThreadActivity.IN_DOWNSTREAM_CALL, false),
            threads("task-2", 1, ThreadActivity.IDLE, false));
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .dump(70, dump)
                .dump(90, dump)
                .loadTestFrom(80, 2400)
                .rate(100));
    assertEquals(10, finding.values().get("threads"));
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.LOCK_WAIT), EXACT);
  }

  @Test
  void threadsOfWhichMoreAndFewerAreAtWorkAreNotAllTaken() {
    List<ThreadState> nine =
        all(
            threads("task-", 9, ThreadActivity.WAITING_FOR_LOCK, false),
            threads("task-2", 2, ThreadActivity.IDLE, false));
    List<ThreadState> ten =
        all(
            threads("task-", 10, ThreadActivity.WAITING_FOR_LOCK, false),
            threads("task-2", 1, ThreadActivity.IDLE, false));
    assertSilent(
        rule,
        incident().withoutBaseline().dump(70, nine).dump(90, ten).loadTestFrom(80, 2400).rate(100));
  }

  /** Six of 64 at work in each dump: the others are no spare ones, they wait for something else. */
  @Test
  void aGroupThatIsMostlyIdleIsNotTakenHoweverManyRequestsWait() {
    List<ThreadState> dump =
        all(
            threads("task-", 6, ThreadActivity.IN_DOWNSTREAM_CALL, false),
            threads("task-1", 58, ThreadActivity.IDLE, false));
    assertSilent(
        rule,
        incident()
            .withoutBaseline()
            .dump(70, dump)
            .dump(90, dump)
            .loadTestFrom(80, 2400)
            .rate(100));
  }

  /** However long calls usually take: connecting, and a look-up, take a moment. */
  @Test
  void threadsThatWaitForAnAddressAreAtNoNormalWork() {
    List<ThreadState> dump = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String part = i < 6 ? "OkHttp (DNS lookup)" : "OkHttp";
      dump.add(thread("exec-" + i, "WAITING", ThreadActivity.IN_DOWNSTREAM_CALL, part, true));
    }
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .dump(70, dump)
                .dump(90, dump)
                .loadTestFrom(80, 2400)
                .rate(100));
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.DOWNSTREAM_WAIT), EXACT);
    assertEquals(0, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
  }

  /** The same six of eight threads in the same call, without any CPU time, for 20 s. */
  @Test
  void threadsThatAreStuckInCallsAreAtNoNormalWork() {
    assertEquals(1, passedToCalls(6, 8, 8, 8), EXACT);
  }

  /** Four calls of the first five never end; of those that began later nothing shows it yet. */
  @Test
  void callsThatHaveJustBegunDoNotShowThatCallsEnd() {
    assertEquals(1, passedToCalls(4, 5, 7, 9), EXACT);
    // Two of the first five do not: most calls end.
    assertEquals(0, passedToCalls(2, 5, 7, 9), EXACT);
  }

  /** What of the queue passes to calls where so many of the threads in each dump are stuck. */
  private double passedToCalls(int stuck, int first, int second, int third) {
    IncidentBuilder calls =
        incident()
            .withoutBaseline()
            .dump(70, inCalls(stuck, first))
            .dump(80, inCalls(stuck, second))
            .dump(90, inCalls(stuck, third))
            .loadTestFrom(80, 2400)
            .rate(100);
    return passes(only(rule, calls), Effect.WORKER_WAIT, Effect.DOWNSTREAM_WAIT);
  }

  private static List<ThreadState> inCalls(int stuck, int threads) {
    List<ThreadState> dump = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      boolean is = i < stuck;
      ThreadPosition standing =
          Made.position(is ? 7 : 100 * threads + i, "Orders.find", is ? 900_000 : -1);
      dump.add(
          thread("exec-" + i, "RUNNABLE", ThreadActivity.IN_DOWNSTREAM_CALL, "", true, standing));
    }
    return dump;
  }

  @Test
  void aLoopOfTheServerOnAThreadOfTheSameNameIsNoFreeThread() {
    List<ThreadState> dump =
        all(
            threads("qtp1-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true),
            List.of(thread("qtp1-9", "RUNNABLE", ThreadActivity.IDLE, "", false)));
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .dump(70, dump)
                .dump(90, dump)
                .loadTestFrom(80, 2400)
                .rate(100));
    assertEquals(8, finding.values().get("threads"));
  }

  @Test
  void aWorkerThatWaitsForWorkIsFreeThoughNothingMarksIt() {
    List<ThreadState> dump =
        all(
            threads("depot-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true),
            threads("depot-", 1, ThreadActivity.IDLE, false));
    assertSilent(
        rule,
        incident()
            .withoutBaseline()
            .dump(70, dump)
            .dump(90, dump)
            .loadTestFrom(80, 2400)
            .rate(100));
  }

  @Test
  void threadsThatWaitForAConnectionHandTheQueueOn() {
    // 3 of 8 wait for a connection: 5 are at normal work.
    Finding finding = only(rule, queuedAt(3, ThreadActivity.WAITING_FOR_POOL, 5, true));
    assertEquals(
        0.625, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
    assertEquals(0.375, passes(finding, Effect.WORKER_WAIT, Effect.POOL_WAIT), EXACT);
  }

  @Test
  void threadsAtWorkHaveWhatMostOthersWaitFor() {
    // 6 of 8 wait for the connections of the other 2: more threads would wait for these as well.
    Finding finding = only(rule, queuedAt(6, ThreadActivity.WAITING_FOR_POOL, 2, true));
    assertEquals(0, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.POOL_WAIT), EXACT);
  }

  @Test
  void threadsThatTheServerHandsItsRequestsToAreTheOnesAtWorkWhileItsOwnRest() {
    // An event loop without work; 240 requests in the system, 8 of them on a thread of an executor.
    Finding finding =
        only(rule, queuedAt(7, ThreadActivity.WAITING_FOR_LOCK, 1, false, ThreadActivity.IDLE));
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.LOCK_WAIT), EXACT);
    assertTrue(
        finding
            .statement()
            .contains(
                "all 8 threads pool-N are at work in 2 of 2 dumps, to which the server's own threads hand requests: at least"),
        finding.statement());
  }

  @Test
  void otherThreadsAreNotTheRequestsWhereTheServersOwnAreAtWork() {
    assertSilent(
        rule,
        queuedAt(
            7,
            ThreadActivity.WAITING_FOR_LOCK,
            1,
            false,
            ThreadActivity.RUNNING,
            ThreadActivity.IDLE));
  }

  /** 240 requests in the system by a load test, and 8 threads, some waiting and some in calls. */
  private static IncidentBuilder queuedAt(
      int waiting, ThreadActivity what, int calling, boolean serving, ThreadActivity... loops) {
    List<ThreadState> dump =
        new ArrayList<>(
            all(
                threads("pool-", waiting, what, serving),
                threads("pool-1", calling, ThreadActivity.IN_DOWNSTREAM_CALL, serving)));
    for (ThreadActivity loop : loops) {
      dump.addAll(threads("loop-", 2, loop, true));
    }
    return incident()
        .withoutBaseline()
        .dump(70, dump)
        .dump(90, dump)
        .loadTestFrom(80, 2400)
        .rate(100);
  }

  @Test
  void anExecutorWhoseAnswersAreWaitedFor() {
    // 150 request threads wait for 4 workers: 146 wait for one of them, with no load test at hand.
    List<ThreadState> dump =
        all(
            threads("quotes-", 4, ThreadActivity.IN_DOWNSTREAM_CALL, false),
            threads("task-", 150, ThreadActivity.OTHER, true));
    Finding finding = only(rule, incident().dump(70, dump).dump(100, dump));
    assertEquals(146, finding.values().get("waitingForAThread"), EXACT);
    assertEquals(
        "all 4 threads quotes-N are at work in 2 of 2 dumps and request threads wait for their results: at least 146 wait for a thread",
        finding.statement());
  }

  /** Of four workers three wait for results and one calls; 50 request threads wait for theirs. */
  private static IncidentBuilder ofResults(String future) {
    List<ThreadState> dump =
        new ArrayList<>(threads("jobs-", 1, ThreadActivity.IN_DOWNSTREAM_CALL, false));
    for (int i = 2; i <= 4; i++) {
      dump.add(thread("jobs-" + i, "WAITING", ThreadActivity.OTHER, future, false));
    }
    dump.addAll(threads("task-", 50, ThreadActivity.OTHER, true));
    return incident().dump(70, dump).dump(100, dump);
  }

  @Test
  void workersThatWaitForResultsOfTheirOwnExecutorAreTooFew() {
    String future = "org.acme.grid.GridFuture";
    assertEquals(1, ofWorkers(ofResults(future)), EXACT);
    // An asynchronous client may bring them, and who waits for no result waits for something else:
    // then only the one that calls is at its normal work.
    Source source = new Source("recording.jfr", "");
    assertEquals(
        0.25, ofWorkers(ofResults(future).sample(new AsyncClient(at(60), "Netty", source))), EXACT);
    assertEquals(0.25, ofWorkers(ofResults("org.acme.Gate")), EXACT);
  }

  private double ofWorkers(IncidentBuilder incident) {
    return explains(only(rule, incident), Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT);
  }

  @Test
  void workersThatRunOnAllCoresAreNotTooFew() {
    List<ThreadState> dump =
        all(
            threads("work-", 2, ThreadActivity.RUNNING, false),
            threads("task-", 50, ThreadActivity.OTHER, true));
    Finding finding = only(rule, incident().cpus(2).dump(70, dump).dump(100, dump));
    assertEquals(Effect.CPU_QUEUE, finding.transfers().get(0).to());
    assertEquals(0, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
  }

  @Test
  void workersThatTheCollectorStopsMostOfTheTimeHandTheQueueToThePauses() {
    // 54 of the 60 seconds are pauses: two threads that the dumps show as running hardly run.
    List<ThreadState> dump =
        all(
            threads("work-", 2, ThreadActivity.RUNNING, false),
            threads("task-", 50, ThreadActivity.OTHER, true));
    Finding finding =
        only(
            rule,
            incident().cpus(2).pauses(54, 60, 120, full(0, 1000)).dump(70, dump).dump(100, dump));
    assertEquals(Effect.STOPPED, finding.transfers().get(0).to());
  }

  @Test
  void workersThatRunOnNobodyKnowsHowManyCoresMayBeShortOfThese() {
    List<ThreadState> dump =
        all(
            threads("work-", 2, ThreadActivity.RUNNING, false),
            threads("task-", 50, ThreadActivity.OTHER, true));
    Finding unknown = only(rule, incident().dump(70, dump).dump(100, dump));
    assertEquals(Effect.UNACCOUNTED, unknown.transfers().get(0).to());
    Finding known = only(rule, incident().cpus(8).dump(70, dump).dump(100, dump));
    assertEquals(1, explains(known, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
  }

  @Test
  void nothingWaitsWhileAThreadIsIdle() {
    List<ThreadState> dump =
        all(
            threads("exec-", 7, ThreadActivity.IN_DOWNSTREAM_CALL, true),
            threads("exec-1", 1, ThreadActivity.IDLE, true));
    assertTrue(
        rule.examine(
                incident()
                    .withoutBaseline()
                    .dump(70, dump)
                    .dump(90, dump)
                    .loadTestFrom(80, 2400)
                    .rate(100)
                    .build())
            .isEmpty());
  }

  @Test
  void virtualThreadsAreNoGroupThatCouldBeTooSmall() {
    List<ThreadState> dump =
        List.of(
            virtual("[0x1 0x2] socket"), virtual("[0x1 0x3] socket"), virtual("[0x1 0x4] socket"));
    assertSilent(
        rule,
        incident()
            .withoutBaseline()
            .dump(70, dump)
            .dump(90, dump)
            .loadTestFrom(80, 2400)
            .rate(100));
  }

  private static ThreadState virtual(String name) {
    return new ThreadState(
        name,
        "WAITING",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "JDK HttpClient",
        true,
        true,
        Threads.NOWHERE,
        true,
        false);
  }

  @Test
  void aClientsOwnThreadsAreTheCallsItMayMake() {
    // 40 request threads wait for 5 calls: 35 have none.
    List<ThreadState> calls = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      calls.add(
          thread(
              "OkHttp http://prices/...",
              "RUNNABLE",
              ThreadActivity.IN_DOWNSTREAM_CALL,
              "OkHttp",
              false));
    }
    List<ThreadState> dump = all(calls, threads("exec-", 40, ThreadActivity.OTHER, true));
    Finding finding = only(rule, incident().withoutBaseline().dump(70, dump).dump(90, dump));
    assertEquals(
        1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.WORKER_WAIT), EXACT);
    assertEquals(35, finding.values().get("waitingForAThread"), EXACT);
  }
}
