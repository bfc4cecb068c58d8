package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.assertSilent;
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
import io.gcdiag.causes.waits.LogQueueFullCause.LogQueueRule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.WorkerSketch;
import java.util.List;
import java.util.Map;
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
        only(rule, incident().withoutBaseline().dump(70, threads(12, 1)).dump(90, threads(9, 3)));
    assertEquals(
        "12 of 13 threads at work are waiting for room in a log queue (Logback AsyncAppender), most at"
            + " com.acme.Cart.add, in 2 of 2 dumps; the thread that empties it,"
            + " AsyncAppender-Worker-ASYNC, is in file I/O (file) at com.acme.Console.write",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.LOG_QUEUE_FULL, Effect.LOG_WAIT), 1e-9);
    // (12 + 9) / 2
    assertEquals(10.5, value(finding, "threadsWaiting"), 1e-9);
  }

  /** Fifty requests a second that take 4 ms and then 16, in no wait, and the thread that writes. */
  private static IncidentBuilder writing(double before, double during) {
    return writing(1, before, during);
  }

  /** The same with so many threads of that name, so many of which are busy. */
  private static IncidentBuilder writing(int writers, double before, double during) {
    IncidentBuilder logging = incident().recorded(Signal.THREAD_PARKS, 20).requests(50, 4, 16);
    String writer = "LogNjN-TF-N-AsyncLogger[AsyncContext@N]-N";
    double stretch = WorkerSketch.STRETCH.toSeconds();
    WorkerSketch.group(
        logging,
        0,
        60,
        writer,
        false,
        writers,
        before,
        Map.of(WaitKind.IDLE, (writers - before) * stretch));
    WorkerSketch.group(
        logging,
        60,
        120,
        writer,
        false,
        writers,
        during,
        Map.of(WaitKind.IDLE, (writers - during) * stretch));
    return logging;
  }

  @Test
  void aWriterThatIsNeverFreeAnyMoreHasAFullQueueBeforeIt() {
    Finding finding = only(rule, writing(0.2, 0.96));
    assertEquals(
        "the thread that empties a log queue, LogNjN-TF-N-AsyncLogger[AsyncContext@N]-N, is busy"
            + " 96.0 % of the time (before: 20.0 %)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.LOG_QUEUE_FULL, Effect.UNACCOUNTED), 1e-9);
  }

  @Test
  void ofSeveralWritersThePartOfTheirTimeIsTold() {
    // 1.9 of two threads, before 0.4.
    Finding finding = only(rule, writing(2, 0.4, 1.9));
    assertEquals(0.95, value(finding, "writerBusy"), 1e-9);
    assertEquals(0.2, value(finding, "writerBusyBefore"), 1e-9);
  }

  @Test
  void aWriterThatHasTimeOrHadNoneBeforeShowsNoQueue() {
    assertSilent(rule, writing(0.2, 0.8));
    assertSilent(rule, writing(0.94, 0.96));
  }
}
