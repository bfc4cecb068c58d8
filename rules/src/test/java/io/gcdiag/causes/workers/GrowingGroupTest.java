package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.workers.ThreadLeakCause.ThreadGrowthRule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GrowingGroupTest {

  private final Rule rule = new ThreadGrowthRule();

  private static List<ThreadState> threads(int count, ThreadActivity activity, boolean serving) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(thread("reminder-" + i, "", activity, "", serving));
    }
    return threads;
  }

  @Test
  void aKindThatGrowsFromDumpToDumpWithoutWorkIsALeak() {
    List<ThreadState> last = threads(300, ThreadActivity.IDLE, false);
    last.addAll(threads(100, ThreadActivity.RUNNING, false));
    Finding finding =
        only(rule, incident().dump(50, threads(200, ThreadActivity.IDLE, false)).dump(90, last));
    assertEquals(
        "threads 'reminder-*' in 2 dumps: 200, 400; in the last one 100 of them run "
            + "and most of the rest are idle",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_LEAK));
    // All that run are of this kind.
    assertEquals(1, explains(finding, Hypothesis.THREAD_LEAK, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void whereTheCpuIsMeasuredDumpsDoNotShareItOut() {
    Finding finding =
        only(
            rule,
            incident()
                .recorded(Signal.CPU_LOAD)
                .dump(50, threads(100, ThreadActivity.RUNNING, false))
                .dump(90, threads(200, ThreadActivity.RUNNING, false)));
    assertEquals(0, explains(finding, Hypothesis.THREAD_LEAK, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void threadsThatServeRequestsGrowWithTheWork() {
    assertSilent(
        rule,
        incident()
            .dump(50, threads(100, ThreadActivity.RUNNING, true))
            .dump(90, threads(200, ThreadActivity.RUNNING, true)));
  }

  @Test
  void threadsThatAreKeptWaitingGrowWithTheWork() {
    assertSilent(
        rule,
        incident()
            .dump(50, threads(100, ThreadActivity.IN_DOWNSTREAM_CALL, false))
            .dump(90, threads(200, ThreadActivity.IN_DOWNSTREAM_CALL, false)));
  }

  /** Below the loop of a worker, as {@code ThreadPoolExecutor.runWorker}. */
  private static final ThreadPosition IN_POOL =
      new ThreadPosition(
          1,
          "",
          ThreadPosition.UNKNOWN_CPU,
          ThreadPosition.NO_VIRTUAL_THREAD,
          Optional.empty(),
          Optional.empty(),
          true,
          false,
          false);

  private static List<ThreadState> named(int count, String name) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      threads.add(thread(name.replace("N", "" + i), "", ThreadActivity.IDLE, "", false, IN_POOL));
    }
    return threads;
  }

  @Test
  void oneExecutorFillsUpWithTheWork() {
    assertSilent(
        rule,
        incident().dump(50, named(200, "pool-1-thread-N")).dump(90, named(300, "pool-1-thread-N")));
  }

  @Test
  void noExecutorHasAThousandIdleThreads() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(50, named(400, "RxNewThreadScheduler-N"))
                .dump(90, named(1_000, "RxNewThreadScheduler-N")));
    assertTrue(warns(finding, Hypothesis.THREAD_LEAK));
  }

  @Test
  void thePoolOfAServerThatIsNotKnownFillsUpAsWell() {
    assertSilent(rule, incident().dump(50, named(10, "intake-N")).dump(90, named(190, "intake-N")));
  }

  @Test
  void anExecutorForEachRequestIsALeak() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(50, named(200, "pool-N-thread-1"))
                .dump(90, named(300, "pool-N-thread-1")));
    assertTrue(warns(finding, Hypothesis.THREAD_LEAK));
  }

  @Test
  void whatOneDumpHasAndTheOneBeforeHasNotIsNoLeak() {
    // A service that starts: its first dump is older than its threads.
    assertSilent(
        rule,
        incident()
            .dump(50, List.of(thread("main", "", ThreadActivity.IDLE, "", false)))
            .dump(90, threads(300, ThreadActivity.IDLE, false)));
  }

  @Test
  void aFewMoreAreNoLeak() {
    assertSilent(
        rule,
        incident()
            .dump(50, threads(10, ThreadActivity.IDLE, false))
            .dump(90, threads(59, ThreadActivity.IDLE, false)));
  }

  @Test
  void oneDumpShowsNoGrowth() {
    assertSilent(rule, incident().dump(90, threads(500, ThreadActivity.IDLE, false)));
  }

  private static void running(
      List<ThreadState> threads, String name, int count, boolean serving, long cpuMillis) {
    for (int i = 0; i < count; i++) {
      threads.add(
          thread(
              name + i,
              "RUNNABLE",
              ThreadActivity.RUNNING,
              "",
              serving,
              Made.position(1, "Holds.heldBy", cpuMillis * 1_000_000)));
    }
  }

  /** 100 timers, then 400 that have used 20 ms each; and a server that has used 2 s. */
  private static IncidentBuilder timers(int requests) {
    List<ThreadState> first = new ArrayList<>();
    running(first, "timer-", 100, false, 0);
    running(first, "exec-", 1, true, 0);
    List<ThreadState> last = new ArrayList<>();
    running(last, "timer-", 400, false, 20);
    running(last, "exec-", requests, true, 2_000 / requests);
    return incident().dump(70, first, 1).dump(80, last, 1.1).loadTest(100, 2);
  }

  @Test
  void whereMoreRunThanThereAreCoresInUseTheGroupHasThePartOfTheCpuThatItUses() {
    // 400 x 20 ms = 8 s of 8 + 2 + 0.1 s in ten seconds: 1.01 cores; 40 requests run.
    Finding finding = only(rule, timers(40));
    assertEquals(8 / 10.1, explains(finding, Hypothesis.THREAD_LEAK, Effect.CPU_QUEUE), 1e-6);
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void whatEachLeakedObjectStartsUnderSeveralNamesCountsTogether() {
    // 500 flushers that use nothing grew most; 400 timers used 8 of 10.1 s.
    List<ThreadState> first = new ArrayList<>();
    running(first, "timer-", 100, false, 0);
    running(first, "flush-", 100, false, 0);
    running(first, "exec-", 1, true, 0);
    List<ThreadState> last = new ArrayList<>();
    running(last, "timer-", 400, false, 20);
    running(last, "flush-", 500, false, 0);
    running(last, "exec-", 40, true, 50);
    Finding finding =
        only(rule, incident().dump(70, first, 1).dump(80, last, 1.1).loadTest(100, 2));
    assertTrue(finding.statement().startsWith("threads 'flush-*'"), finding.statement());
    assertEquals(8 / 10.1, explains(finding, Hypothesis.THREAD_LEAK, Effect.CPU_QUEUE), 1e-6);
  }

  @Test
  void twoRequestsThatRunOnTwoCoresWaitForNone() {
    assertEquals(0, passes(only(rule, timers(2)), Effect.UNACCOUNTED, Effect.CPU_QUEUE));
  }
}
