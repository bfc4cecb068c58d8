package io.gcdiag.causes.workers;

import static io.gcdiag.evidence.threads.WaitKind.IDLE;
import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
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
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import io.gcdiag.sketches.WorkerSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AwaitedAnswersTest {

  private static final String FUTURE = "java.util.concurrent.CompletableFuture$Signaller";

  private final Rule rule = new AsyncQueueRule();

  private static ThreadState thread(String name, ThreadActivity activity, String subject) {
    return Threads.thread(
        name,
        "WAITING",
        activity,
        subject,
        name.startsWith("http"),
        Made.position(1, "com.shop.Prices.compare", ThreadPosition.UNKNOWN_CPU));
  }

  /** Eight requests that wait for futures, two that compute nothing else, and others. */
  private static List<ThreadState> waiting(ThreadState... others) {
    List<ThreadState> threads = new ArrayList<>(List.of(others));
    for (int i = 1; i <= 8; i++) {
      threads.add(thread("http-" + i, ThreadActivity.OTHER, FUTURE));
    }
    threads.add(thread("http-9", ThreadActivity.OTHER, ""));
    threads.add(thread("http-10", ThreadActivity.OTHER, ""));
    threads.add(thread("pool-1", ThreadActivity.IDLE, ""));
    return threads;
  }

  private static AsyncClient client(String name) {
    return new AsyncClient(at(0), name, new Source(RECORDING, "stacks of its events"));
  }

  private static IncidentBuilder twice(List<ThreadState> threads) {
    return incident().dump(70, threads).dump(100, threads);
  }

  @Test
  void answersThatNobodyInTheJvmWorksOnComeFromOutside() {
    Finding finding = only(rule, twice(waiting()).sample(client("JDK HttpClient")));
    assertEquals(
        "8 of 10 request threads at work wait for a future at "
            + "com.shop.Prices.compare, likewise in 2 of 2 dumps, and no thread of this "
            + "JVM works on one: the results come from outside, through an asynchronous "
            + "client (JDK HttpClient)",
        finding.statement());
    assertEquals(0.8, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED), 1e-9);
  }

  /**
   * Eight requests wait for futures in tasks of a full executor. It has six threads, so many of
   * them in calls in the baseline, and all in the incident.
   */
  private static Finding tasks(double busyBefore, int perSecondBefore, int perSecond) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      ThreadState waiting = thread("http-" + i, ThreadActivity.OTHER, FUTURE);
      threads.add(
          new ThreadState(
              waiting.name(),
              waiting.state(),
              waiting.activity(),
              waiting.subject(),
              true,
              false,
              waiting.standing(),
              false,
              true));
    }
    IncidentBuilder incident =
        twice(threads)
            .recorded(Signal.THREAD_PARKS, 20)
            .sample(client("JDK HttpClient"))
            .requests(perSecondBefore, perSecond, 10, 120);
    double idle = WorkerSketch.STRETCH.toSeconds() * (6 - busyBefore);
    WorkerSketch.group(incident, 0, 60, "keeper-N", false, 6, busyBefore, Map.of(IDLE, idle));
    WorkerSketch.group(incident, 60, 120, "keeper-N", false, 6, 6, Map.of());
    return only(new AsyncQueueRule(), incident);
  }

  @Test
  void tasksThatAsManyRequestsMakeAreNoSlowService() {
    // 4 of 6 threads at 25 requests a second: at 75 as long ones would need 12.
    Finding more = tasks(4, 25, 75);
    assertEquals(0, explains(more, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED));
    assertTrue(more.arithmetic().get(0).contains("as long as before"));
    // 1 of 6: as long ones would need 3, so they take longer.
    assertEquals(
        1, explains(tasks(1, 25, 75), Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED), 1e-9);
    // As many requests as before.
    assertEquals(
        1, explains(tasks(4, 25, 25), Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED), 1e-9);
  }

  @Test
  void callsQueueNowhereBeforeAClientThatOpensAConnectionForEach() {
    Finding finding = only(rule, twice(waiting()).sample(client("AsyncHttpClient")));
    assertEquals(0.8, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED), 1e-9);
    assertTrue(finding.inseparable().isEmpty());
  }

  @Test
  void aClientMayLetOnlySoManyCallsThroughAtATime() {
    Finding finding = only(rule, twice(waiting()).sample(client("R2DBC pool")));
    assertEquals(0.4, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED), 1e-9);
    assertEquals(
        0.4, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.UNACCOUNTED), 1e-9);
    assertEquals(Hypothesis.SLOW_DOWNSTREAM, finding.inseparable().get(0).other());
  }

  @Test
  void whereNoSuchClientIsSeenItIsALead() {
    Finding finding = only(rule, twice(waiting()));
    assertTrue(finding.statement().endsWith("come from outside, or from a timer"));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void whoeverIsAtWorkInTheJvmMayCompleteThem() {
    for (ThreadActivity activity :
        List.of(
            ThreadActivity.IN_DOWNSTREAM_CALL,
            ThreadActivity.WAITING_FOR_LOCK,
            ThreadActivity.WAITING_FOR_POOL,
            ThreadActivity.IN_FILE)) {
      assertSilent(rule, twice(waiting(thread("pool-2", activity, ""))));
    }
    ThreadState computes = thread("pool-2", ThreadActivity.RUNNING, "");
    ThreadState computesAsWell = thread("pool-3", ThreadActivity.RUNNING, "");
    assertSilent(rule, twice(waiting(computes, computesAsWell)));
  }

  @Test
  void oneThreadThatComputesAllTheTimeMayBeItsExecutorsOnlyOne() {
    ThreadState once = thread("prices-1", ThreadActivity.RUNNING, "");
    assertSilent(rule, twice(waiting(once)));
    only(rule, incident().dump(70, waiting(once)).dump(100, waiting()));
    ThreadState dumper = thread("Attach Listener", ThreadActivity.RUNNING, "");
    only(rule, twice(waiting(dumper)));
  }

  @Test
  void tasksOfAnExecutorAreCompletedInTheJvm() {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      threads.add(thread("http-" + i, ThreadActivity.OTHER, "java.util.concurrent.FutureTask"));
    }
    assertSilent(rule, twice(threads));
  }

  @Test
  void oneDumpOrAFewRequestsMayBeChance() {
    assertSilent(rule, incident().dump(70, waiting()));
    List<ThreadState> few = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      few.add(thread("http-" + i, ThreadActivity.OTHER, FUTURE));
    }
    assertSilent(rule, twice(few));
  }
}
