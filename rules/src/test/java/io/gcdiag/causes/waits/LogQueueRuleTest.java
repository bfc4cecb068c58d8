package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.all;
import static io.gcdiag.sketches.Threads.serving;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogQueueRuleTest {

  private static final String LOGBACK = "Logback AsyncAppender";

  private final Rule rule = new LogQueueRule();

  /** Request threads, so many of which wait to log, and the thread that writes the log. */
  private static List<ThreadState> threads(int logging, int running) {
    return all(
        serving(logging, ThreadActivity.WAITING_TO_LOG, LOGBACK, "com.acme.Cart.add"),
        serving(running, ThreadActivity.RUNNING, "", "com.acme.Cart.sum"),
        List.of(
            thread(
                "AsyncAppender-Worker-ASYNC",
                "RUNNABLE",
                ThreadActivity.IN_FILE,
                "file",
                false,
                Made.position(2, "com.acme.Console.write", ThreadPosition.UNKNOWN_CPU))));
  }

  @Test
  void requestsThatWaitToLogAreExplainedWithTheThreadThatWrites() {
    Finding finding =
        only(rule, incident().withoutCalm().dump(70, threads(12, 1)).dump(90, threads(9, 3)));
    assertEquals(
        "12 of 13 threads at work are waiting for room in a log queue (Logback AsyncAppender), most at"
            + " com.acme.Cart.add, in 2 of 2 dumps; the thread that empties it,"
            + " AsyncAppender-Worker-ASYNC, is in file I/O (file) at com.acme.Console.write",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.LOG_QUEUE_FULL, Effect.LOG_WAIT), 1e-9);
    // (12 + 9) / 2
    assertEquals(10.5, value(finding, "threadsWaiting"), 1e-9);
  }
}
