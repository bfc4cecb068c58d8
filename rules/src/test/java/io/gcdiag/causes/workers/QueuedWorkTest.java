package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.workers.WorkerQueueRule.QueuedWork;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import io.gcdiag.sketches.WorkerSketch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What of the queue before a full group of workers is due to longer, to more and to the same. */
class QueuedWorkTest {

  /** Eight threads that rested in the baseline; in the incident all are in calls or asleep. */
  private static IncidentBuilder full(double inCalls, double asleep) {
    IncidentBuilder builder = incident().recorded(Signal.THREAD_PARKS, 10);
    WorkerSketch.group(builder, 0, 60, "http-N", true, 8, 0, Map.of(WaitKind.IDLE, 25.0));
    WorkerSketch.group(
        builder, 60, 120, "http-N", true, 8, inCalls, Map.of(WaitKind.SLEEP, 5 * asleep));
    return builder;
  }

  private static Finding queue(IncidentBuilder builder) {
    return only(new QueuedWork("worker-queue"), builder);
  }

  @Test
  void moreCallsForEachRequestHandTheQueueToTheCalls() {
    // 60 requests a second; one call of 20 ms each, then seven: 1.2 -> 8 threads.
    Finding finding =
        queue(
            full(8, 0)
                .requests(60, 30, 2_000)
                .waits(3_600, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 20)
                .waits(24_000, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 20));
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.DOWNSTREAM_WAIT), 0.01);
  }

  /** The same calls of one length, of a load test of which the whole is known alone. */
  private static IncidentBuilder ofWholeRun(int calls) {
    IncidentBuilder builder =
        full(8, 0)
            .loadTest(100, 1_000)
            .waits(3_600, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 20)
            .waits(calls, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 480_000.0 / calls);
    Latencies.Counter sixty = new Latencies.Counter();
    for (int i = 0; i < 60; i++) {
      sixty.add(millis(20));
    }
    for (int second = 0; second < 60; second++) {
      builder.sample(
          new WorkRounds(
              at(second), Duration.ofSeconds(1), "http-N", sixty.latencies(), sixty.latencies()));
    }
    return builder;
  }

  @Test
  void moreCallsThanAWholeRunHasRequestsForAreMoreForEach() {
    // 12,000 requests in all: at most 200 a second in the incident, 60 in the baseline. 400 calls a
    // second in place of 60 are more for each: 4 of the 8 threads, of 6.8 that came on top.
    Finding finding = queue(ofWholeRun(24_000));
    assertEquals(4 / 6.8, passes(finding, Effect.WORKER_WAIT, Effect.DOWNSTREAM_WAIT), 0.01);
  }

  @Test
  void asManyMoreCallsAsAWholeRunMayHaveRequestsForAreOfTheLoad() {
    // 400 calls a second in place of 200: twice, where 200 requests in place of 60 are possible.
    Finding finding =
        queue(ofWholeRun(24_000).waits(8_400, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 20));
    assertEquals(0, passes(finding, Effect.WORKER_WAIT, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  @Test
  void ofMoreAndLongerCallsTheQueueIsTheirsByWhatIsLonger() {
    // 60 of 50 ms a second, then 80 of 100 ms: 3 -> 8 threads, 80 x 50 ms = 4 of them by length.
    Finding finding =
        queue(
            full(8, 0)
                .loadTest(100, 1_000)
                .waits(3_600, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 50)
                .waits(4_800, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 100));
    assertEquals(0.8, passes(finding, Effect.WORKER_WAIT, Effect.DOWNSTREAM_WAIT), 0.02);
    assertEquals(
        0.2, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), 0.02);
  }

  /** A loop of that name that has used so many seconds of CPU, and a thread beside it. */
  private static IncidentBuilder loop(boolean loop, double beside) {
    IncidentBuilder builder = incident();
    for (int i = 0; i < 3; i++) {
      double used = 10.0 * i;
      builder.dump(
          70 + 10 * i,
          List.of(computing("read-loop", loop, used), computing("stats", false, beside * used)),
          1);
    }
    // 200/s x 1 s = 200 in progress.
    return builder.requests(200, 1, 1_000);
  }

  private static ThreadState computing(String name, boolean loop, double cpuSeconds) {
    return Threads.thread(
        name,
        "RUNNABLE",
        ThreadActivity.RUNNING,
        "",
        false,
        new ThreadPosition(
            1,
            "com.shop.Ticker.answer",
            (long) (cpuSeconds * 1e9),
            ThreadPosition.NO_VIRTUAL_THREAD,
            Optional.empty(),
            Optional.empty(),
            true,
            loop,
            false));
  }

  @Test
  void anEventLoopThatUsesACoreWithoutRestIsWhatRequestsWaitFor() {
    Finding finding = queue(loop(true, 0.2));
    assertEquals(
        "200 requests are in the system on average and the only thread read-loop is at work without"
            + " rest between 3 dumps: at least 199 wait for a thread",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), 1e-9);
  }

  /** What it does takes the time that the quota leaves it. */
  @Test
  void aQueueBeforeThreadsThatRunUnderAQuotaWithoutRestIsTheQuotas() {
    Source cgroup = new Source("recording.jfr", "jdk.ContainerCPUThrottling");
    Finding finding =
        queue(
            loop(true, 0.2)
                .sample(new ThrottleCount(at(60), 600, 0, Duration.ZERO, cgroup))
                .sample(new ThrottleCount(at(120), 1_200, 590, Duration.ofSeconds(53), cgroup)));
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.THROTTLED), 1e-9);
  }

  @Test
  void aLoopOnTheOnlyCoreInUseMayBeShortOfCores() {
    assertSilent(new QueuedWork("worker-queue"), loop(true, 0));
  }

  @Test
  void aThreadThatComputesForItselfServesNobody() {
    assertSilent(new QueuedWork("worker-queue"), loop(false, 0.2));
  }
}
