package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.Threads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StarvedExecutorTest {

  private static final String TASK = "java.util.concurrent.FutureTask";

  private final Rule rule = new WorkerQueueRule();

  private static ThreadState thread(
      String name, ThreadActivity activity, String subject, boolean request) {
    return Threads.thread(
        name,
        "WAITING",
        activity,
        subject,
        request,
        Made.position(1, "com.shop.Prices.compare", ThreadPosition.UNKNOWN_CPU));
  }

  /** Four threads of an executor that wait for tasks, ten requests that wait for them. */
  private static List<ThreadState> starved(ThreadState... others) {
    List<ThreadState> threads = new ArrayList<>(List.of(others));
    for (int i = 1; i <= 4; i++) {
      threads.add(thread("prices-" + i, ThreadActivity.OTHER, TASK, false));
    }
    for (int i = 1; i <= 10; i++) {
      threads.add(thread("http-8080-exec-" + i, ThreadActivity.OTHER, TASK, true));
    }
    threads.add(thread("flusher-1", ThreadActivity.SLEEPING, "", false));
    return threads;
  }

  @Test
  void anExecutorWhoseTasksAllWaitForTasksWaitsForItself() {
    Finding finding = only(rule, incident().dump(70, starved()).dump(100, starved()));
    assertEquals(
        "all 4 threads prices-N wait for other tasks in 2 of 2 dumps, at com.shop.Prices.compare, and no"
            + " thread runs one: these are queued behind them; 10 request threads wait as well",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED));
  }

  @Test
  void tasksThatSomebodyRunsAreNotMissing() {
    ThreadState calling = thread("far-1", ThreadActivity.IN_DOWNSTREAM_CALL, "partner:80", false);
    assertSilent(rule, incident().dump(70, starved(calling)).dump(100, starved(calling)));
    ThreadState asleep = thread("retry-1", ThreadActivity.SLEEPING, "", false);
    ThreadState asleepAsWell = thread("retry-2", ThreadActivity.SLEEPING, "", false);
    List<ThreadState> retrying = starved(asleep, asleepAsWell);
    assertSilent(rule, incident().dump(70, retrying).dump(100, retrying));
  }

  @Test
  void oneThreadThatIsFreeCouldRunThem() {
    ThreadState free = thread("prices-5", ThreadActivity.IDLE, "", false);
    assertSilent(rule, incident().dump(70, starved(free)).dump(100, starved(free)));
  }

  @Test
  void answersOfClientsWithoutThreadsNeedNoTask() {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      threads.add(
          thread(
              "prices-" + i,
              ThreadActivity.OTHER,
              "java.util.concurrent.CompletableFuture$Signaller",
              false));
    }
    assertSilent(rule, incident().dump(70, threads).dump(100, threads));
  }

  @Test
  void oneDumpMayMeetTheMomentBetweenTwoTasksAndIsALead() {
    Finding finding = only(rule, incident().dump(70, starved()));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertEquals(0, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED));
  }

  @Test
  void aForkJoinPoolThatWaitsForFuturesToTheLastThreadIsALead() {
    String future = "java.util.concurrent.CompletableFuture$Signaller";
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      threads.add(
          thread("ForkJoinPool.commonPool-worker-" + i, ThreadActivity.OTHER, future, false));
    }
    Finding finding = only(rule, incident().dump(70, threads));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    List<ThreadState> answered = new ArrayList<>(threads);
    answered.add(thread("partner-1", ThreadActivity.IN_DOWNSTREAM_CALL, "partner:80", false));
    assertSilent(rule, incident().dump(70, answered));
  }
}
