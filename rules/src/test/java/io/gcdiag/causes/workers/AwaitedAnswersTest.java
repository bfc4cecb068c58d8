package io.gcdiag.causes.workers;

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
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import java.util.ArrayList;
import java.util.List;
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
