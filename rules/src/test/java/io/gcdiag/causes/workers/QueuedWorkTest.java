package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.WorkerSketch;
import java.util.Map;
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
}
