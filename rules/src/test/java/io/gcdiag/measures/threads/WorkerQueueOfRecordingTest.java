package io.gcdiag.measures.threads;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.threads;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.workers.WorkerQueueRule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@link WorkerQueueRule} where no dump tells of the queue, or one that met a free moment. */
class WorkerQueueOfRecordingTest {

  private static final double EXACT = 1e-9;

  private final Rule rule = new WorkerQueueRule();

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

  @Test
  void anExecutorThatIsNeverFreeIsTheQueueThoughADumpMetRestingThreads() {
    // Its four threads wait for results of tasks that queue behind them; 20 requests wait for it.
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .waits(600, 60, 120, WaitKind.OTHER, "Future", 2_000)
            .dump(61, threads("jobs-", 4, ThreadActivity.IDLE, false));
    for (int second = 0; second < 120; second += 5) {
      Map<WaitKind, Double> waited =
          second < 60 ? Map.of(WaitKind.IDLE, 12.0) : Map.of(WaitKind.OTHER, 20.0);
      builder.sample(
          new WorkerTime(at(second), Duration.ofSeconds(5), "jobs-N", false, 4, 0, waited));
    }
    assertEquals(16, only(rule, builder).values().get("waitingForAThread"), 0.5);
  }

  /** A recording's minute: threads in calls of 60 ms by samples, and 20 that wait for answers. */
  private static IncidentBuilder sampled(String group, boolean serving, int workers, int calls) {
    return sampled("OkHttp", group, serving, workers, calls);
  }

  private static IncidentBuilder sampled(
      String client, String group, boolean serving, int workers, int calls) {
    IncidentBuilder builder =
        incident()
            .withoutBaseline()
            .recorded(Signal.THREAD_PARKS, 20)
            .waits(600, 60, 120, WaitKind.OTHER, "Future", 2_000)
            .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 60);
    Duration stretch = Duration.ofSeconds(5);
    for (int second = 60; second < 120; second += 5) {
      builder
          .sample(new WorkerTime(at(second), stretch, group, serving, workers, 0, Map.of()))
          .sample(
              Made.sampled(
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

  /**
   * One thread writes for all requests, which wait for it: 1 s of each 5 s without work before, and
   * none during the incident.
   */
  private static IncidentBuilder written(double idleBefore) {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .waits(600, 60, 120, WaitKind.OTHER, "Future", 2_000);
    Duration stretch = Duration.ofSeconds(5);
    for (int second = 0; second < 120; second += 5) {
      double idle = second < 60 ? idleBefore : 0;
      builder
          .sample(
              new WorkerTime(
                  at(second), stretch, "writer", false, 1, 0, Map.of(WaitKind.IDLE, idle)))
          .sample(
              Made.sampled(
                  at(second),
                  stretch,
                  Optional.of(WaitKind.DOWNSTREAM),
                  "PostgreSQL",
                  "Writer.flush",
                  "writer",
                  false,
                  100,
                  (5 - idle) / 5));
    }
    return builder;
  }

  @Test
  void theOneThreadThatRequestsWaitForIsAQueue() {
    Finding finding = only(rule, written(1));
    assertTrue(finding.statement().contains("writer"), finding::statement);
    // 600 waits of 2 s in 60 s are 20 threads, one of which has the writer.
    assertEquals(19, finding.values().get("waitingForAThread"), 0.5);
  }

  @Test
  void aThreadThatReadsForOthersAllTheTimeIsNoQueue() {
    assertFalse(
        rule.examine(written(0).build()).stream()
            .anyMatch(finding -> finding.statement().contains("writer")));
  }
}
