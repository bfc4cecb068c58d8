package io.gcdiag.rules;

import static io.gcdiag.rules.Findings.assertSilent;
import static io.gcdiag.rules.Findings.explains;
import static io.gcdiag.rules.Findings.only;
import static io.gcdiag.rules.Findings.passes;
import static io.gcdiag.rules.IncidentBuilder.at;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.SampledTime;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Standing;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadState;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WorkerTime;
import io.gcdiag.ledger.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerQueueRuleTest {

  private static final double EXACT = 1e-9;

  private final Rule rule = new WorkerQueueRule();

  private static List<ThreadState> threads(
      String name, int count, ThreadActivity activity, boolean request) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      threads.add(new ThreadState(name + i, "WAITING", activity, "", request));
    }
    return threads;
  }

  private static List<ThreadState> both(List<ThreadState> some, List<ThreadState> others) {
    List<ThreadState> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  @Test
  void requestsBeyondTheThreadsWaitForOne() {
    // 100/s that take 2,400 ms (the median stands for the mean): 240 in the system, 8 of them on a
    // thread. The calls are as fast as ever, so the threads are too few.
    List<ThreadState> dump = threads("exec-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true);
    Finding finding =
        only(
            rule,
            incident()
                .withoutCalm()
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

  @Test
  void twoThreadsThatOneOfTwoDumpsFindsAtWorkMayBeSoByChance() {
    List<ThreadState> busy = threads("loop-", 2, ThreadActivity.RUNNING, true);
    List<ThreadState> free =
        both(
            threads("loop-", 1, ThreadActivity.RUNNING, true),
            threads("loop-x", 1, ThreadActivity.IDLE, true));
    IncidentBuilder once = incident().withoutCalm().loadTestFrom(80, 2400).rate(100);
    // Threads that work half of the time: 1 - (1 - 0.5 x 0.5)^2 = 44 %; in both dumps 6.25 %.
    assertSilent(rule, once.dump(70, busy).dump(90, free));
    only(
        rule,
        incident().withoutCalm().loadTestFrom(80, 2400).rate(100).dump(70, busy).dump(90, busy));
  }

  @Test
  void threadsThatSleepInALimiterHandTheQueueToTheirSleeping() {
    List<ThreadState> dump = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      dump.add(
          new ThreadState("exec-" + i, "TIMED_WAITING", ThreadActivity.SLEEPING, "Bucket4j", true));
    }
    Finding finding =
        only(
            rule,
            incident()
                .withoutCalm()
                .dump(70, dump)
                .dump(90, dump)
                .loadTestFrom(80, 2400)
                .rate(100));
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.SLEEP), EXACT);
  }

  @Test
  void aLoopOfTheServerOnAThreadOfTheSameNameIsNoFreeThread() {
    List<ThreadState> dump =
        both(
            threads("qtp1-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true),
            List.of(new ThreadState("qtp1-9", "RUNNABLE", ThreadActivity.IDLE, "", false)));
    Finding finding =
        only(
            rule,
            incident()
                .withoutCalm()
                .dump(70, dump)
                .dump(90, dump)
                .loadTestFrom(80, 2400)
                .rate(100));
    assertEquals(8, finding.values().get("threads"));
  }

  @Test
  void aWorkerThatWaitsForWorkIsFreeThoughNothingMarksIt() {
    List<ThreadState> dump =
        both(
            threads("depot-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true),
            threads("depot-", 1, ThreadActivity.IDLE, false));
    assertSilent(
        rule,
        incident().withoutCalm().dump(70, dump).dump(90, dump).loadTestFrom(80, 2400).rate(100));
  }

  @Test
  void threadsThatWaitForAConnectionHandTheQueueOn() {
    List<ThreadState> dump =
        both(
            threads("exec-", 6, ThreadActivity.WAITING_FOR_POOL, true),
            threads("exec-1", 2, ThreadActivity.IN_DOWNSTREAM_CALL, true));
    Finding finding =
        only(
            rule,
            incident()
                .withoutCalm()
                .dump(70, dump)
                .dump(90, dump)
                .loadTestFrom(80, 2400)
                .rate(100));
    assertEquals(
        0.25, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
    Finding.Transfer transfer = finding.transfers().get(0);
    assertEquals(Effect.WORKER_WAIT, transfer.from());
    assertEquals(Effect.POOL_WAIT, transfer.to());
    assertEquals(0.75, transfer.fraction(), EXACT);
  }

  @Test
  void anExecutorWhoseAnswersAreWaitedFor() {
    // 150 request threads wait for 4 workers: 146 wait for one of them, with no load test at hand.
    List<ThreadState> dump =
        both(
            threads("quotes-", 4, ThreadActivity.IN_DOWNSTREAM_CALL, false),
            threads("task-", 150, ThreadActivity.OTHER, true));
    Finding finding = only(rule, incident().dump(70, dump).dump(100, dump));
    assertEquals(146, finding.values().get("waitingForAThread"), EXACT);
    assertEquals(
        "all 4 threads quotes-N are at work in 2 of 2 dumps and request threads wait for their"
            + " answers: at least 146 wait for a thread",
        finding.statement());
  }

  @Test
  void workersThatRunOnAllCoresAreNotTooFew() {
    List<ThreadState> dump =
        both(
            threads("work-", 2, ThreadActivity.RUNNING, false),
            threads("task-", 50, ThreadActivity.OTHER, true));
    Finding finding = only(rule, incident().cpus(2).dump(70, dump).dump(100, dump));
    assertEquals(Effect.CPU_QUEUE, finding.transfers().get(0).to());
    assertEquals(0, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
  }

  @Test
  void workersThatRunOnNobodyKnowsHowManyCoresMayBeShortOfThese() {
    List<ThreadState> dump =
        both(
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
        both(
            threads("exec-", 7, ThreadActivity.IN_DOWNSTREAM_CALL, true),
            threads("exec-1", 1, ThreadActivity.IDLE, true));
    assertTrue(
        rule.examine(
                incident()
                    .withoutCalm()
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
        incident().withoutCalm().dump(70, dump).dump(90, dump).loadTestFrom(80, 2400).rate(100));
  }

  private static ThreadState virtual(String name) {
    return new ThreadState(
        name,
        "WAITING",
        ThreadActivity.IN_DOWNSTREAM_CALL,
        "JDK HttpClient",
        true,
        true,
        Standing.UNKNOWN,
        true);
  }

  @Test
  void aClientsOwnThreadsAreTheCallsItMayMake() {
    // 40 request threads wait for 5 calls: 35 have none.
    List<ThreadState> calls = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      calls.add(
          new ThreadState(
              "OkHttp http://prices/...",
              "RUNNABLE",
              ThreadActivity.IN_DOWNSTREAM_CALL,
              "OkHttp",
              false));
    }
    List<ThreadState> dump = both(calls, threads("exec-", 40, ThreadActivity.OTHER, true));
    Finding finding = only(rule, incident().withoutCalm().dump(70, dump).dump(90, dump));
    assertEquals(
        1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.WORKER_WAIT), EXACT);
    assertEquals(35, finding.values().get("waitingForAThread"), EXACT);
  }

  @Test
  void aClientAtItsUsualLimitIsSeenBySamples() {
    // 5 threads in calls; 600 waits of 2 s for answers in 60 s are 20 threads: 15 have no call.
    Finding finding = only(rule, sampled("OkHttp Dispatcher", false, 7, 5));
    assertEquals(
        1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.WORKER_WAIT), EXACT);
    assertEquals(15, finding.values().get("waitingForAThread"), 0.5);
  }

  @Test
  void aClientBelowItsLimitKeepsNobodyWaiting() {
    assertSilent(rule, sampled("OkHttp Dispatcher", false, 7, 2));
  }

  @Test
  void theLimitIsOkHttpsAndNoOtherClients() {
    assertSilent(rule, sampled("Jetty client", "Jetty client-N", false, 7, 5));
  }

  @Test
  void withoutDumpsTheRecordingTellsThatNobodyIsFree() {
    // 8 threads in calls for the whole minute; 100/s that take 2,400 ms.
    Finding finding = only(rule, sampled("exec-N", true, 8, 8).loadTestFrom(80, 2400).rate(100));
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
    assertEquals(
        finding.values().get("requestsInSystem") - 8,
        finding.values().get("waitingForAThread"),
        EXACT);
  }

  @Test
  void aDumpOfAFreeMomentDoesNotHideThatNobodyIsFreeInTheRest() {
    List<ThreadState> free = threads("exec-", 8, ThreadActivity.IDLE, true);
    Finding finding =
        only(rule, sampled("exec-N", true, 8, 8).dump(61, free).loadTestFrom(80, 2400).rate(100));
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), EXACT);
  }

  @Test
  void fewerRequestsThanThreadsQueueForNone() {
    // 10/s that take some 40 ms: less than one in the system, 8 threads.
    List<ThreadState> free = threads("exec-", 8, ThreadActivity.IDLE, true);
    assertSilent(rule, sampled("exec-N", true, 8, 8).dump(61, free).loadTestFrom(10, 40).rate(10));
  }

  /** A recording's minute: threads in calls of 60 ms by samples, and 20 that wait for answers. */
  private static IncidentBuilder sampled(String group, boolean serving, int workers, int calls) {
    return sampled("OkHttp", group, serving, workers, calls);
  }

  private static IncidentBuilder sampled(
      String client, String group, boolean serving, int workers, int calls) {
    IncidentBuilder builder =
        incident()
            .withoutCalm()
            .recorded(Signal.THREAD_PARKS, 20)
            .waits(600, 60, 120, WaitKind.OTHER, "Future", 2_000)
            .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 60);
    Duration stretch = Duration.ofSeconds(5);
    for (int second = 60; second < 120; second += 5) {
      builder
          .sample(new WorkerTime(at(second), stretch, group, serving, workers, 0, Map.of()))
          .sample(
              new SampledTime(
                  at(second),
                  stretch,
                  Optional.of(WaitKind.DOWNSTREAM),
                  client,
                  "Partner.ask",
                  group,
                  serving,
                  100,
                  calls));
    }
    return builder;
  }
}
