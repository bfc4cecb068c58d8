package io.gcdiag.accounts.waits;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.waits.Effect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogQueueRuleTest {

  private static final String LOGBACK = "Logback AsyncAppender";

  private final Rule rule = new LogQueueRule();

  /** Request threads, so many of which wait to log, and the thread that writes the log. */
  private static List<ThreadState> threads(int logging, int running) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, logging, ThreadActivity.WAITING_TO_LOG, LOGBACK);
    add(threads, running, ThreadActivity.RUNNING, "");
    threads.add(
        thread(
            "AsyncAppender-Worker-ASYNC",
            "RUNNABLE",
            ThreadActivity.IN_FILE,
            "file",
            false,
            new ThreadPosition(2, "com.acme.Console.write", ThreadPosition.UNKNOWN_CPU)));
    return threads;
  }

  private static void add(
      List<ThreadState> to, int count, ThreadActivity activity, String subject) {
    for (int i = 0; i < count; i++) {
      ThreadPosition at = new ThreadPosition(1, "com.acme.Cart.add", ThreadPosition.UNKNOWN_CPU);
      to.add(thread("exec-" + to.size(), "WAITING", activity, subject, true, at));
    }
  }

  @Test
  void requestsThatWaitToLogAreExplainedWithTheThreadThatWrites() {
    Finding finding =
        only(rule, incident().withoutCalm().dump(70, threads(12, 1)).dump(90, threads(9, 3)));
    assertEquals(
        "12 of 13 threads at work wait for room in a log queue (Logback AsyncAppender), most at"
            + " com.acme.Cart.add, in 2 of 2 dumps; the thread that empties it,"
            + " AsyncAppender-Worker-ASYNC, is in file I/O (file) at com.acme.Console.write",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.LOG_QUEUE_FULL, Effect.LOG_WAIT), 1e-9);
    // (12 + 9) / 2
    assertEquals(10.5, value(finding, "threadsWaiting"), 1e-9);
  }

  @Test
  void noMoreThanInTheBaselineIsEvidenceAgainst() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(20, threads(12, 1))
                .dump(40, threads(12, 1))
                .dump(70, threads(12, 1))
                .dump(90, threads(12, 1)));
    assertTrue(weakens(finding, Hypothesis.LOG_QUEUE_FULL));
  }

  @Test
  void requestsThatDoNotLogSayNothing() {
    assertSilent(rule, incident().withoutCalm().dump(70, threads(0, 5)).dump(90, threads(0, 4)));
  }
}
