package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.warns;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.OverflowTime;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallerRunsTest {

  private final Rule rule = new WorkerQueueRule();

  /** Request threads in calls: so many at what an executor was to do, so many at their own. */
  private static List<ThreadState> threads(int overflow, int own) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < overflow + own; i++) {
      ThreadPosition standing = Made.position(1, "com.shop.Prices.ask", ThreadPosition.UNKNOWN_CPU);
      threads.add(
          new ThreadState(
              "exec-" + i,
              "RUNNABLE",
              ThreadActivity.IN_DOWNSTREAM_CALL,
              "HttpURLConnection",
              true,
              true,
              standing,
              false,
              i < overflow));
    }
    return threads;
  }

  /** So many threads from one second to another. */
  private static IncidentBuilder overflow(
      IncidentBuilder builder, int from, int to, double threads) {
    for (int i = from; i < to; i++) {
      builder
          .timeline()
          .sample(new OverflowTime(at(i), millis(1000 * threads), new Source(RECORDING, "waits")));
    }
    return builder;
  }

  @Test
  void mostRequestsInTwoDumpsDoWhatAnExecutorHasNoThreadFor() {
    Finding finding =
        only(rule, incident().withoutBaseline().dump(70, threads(8, 1)).dump(90, threads(8, 0)));
    assertEquals(
        "an executor has no free thread and no queue space, so request threads run its tasks themselves, one after another (CallerRunsPolicy): up to 8 threads in 2 of 2"
            + " dumps, at com.shop.Prices.ask",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void moreThanInTheBaselineByEvents() {
    Finding finding = only(rule, overflow(overflow(incident(), 0, 60, 0.5), 60, 120, 8));
    assertEquals(
        "an executor has no free thread and no queue space, so request threads run its tasks themselves, one after another (CallerRunsPolicy): 8 threads on average by"
            + " events (before: 0.5)",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void asMuchAsInTheBaselineIsHowTheServiceWorks() {
    Finding finding = only(rule, overflow(incident(), 0, 120, 8));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertFalse(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void slowerCallsFillAnyExecutor() {
    IncidentBuilder builder =
        overflow(incident(), 60, 120, 8)
            .waits(600, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 30)
            .waits(600, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 300);
    Finding finding = only(rule, builder);
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertFalse(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aMomentOrAThreadSaysNothing() {
    assertSilent(rule, incident().dump(70, threads(1, 8)).dump(90, threads(1, 8)));
    assertSilent(rule, overflow(incident(), 60, 120, 1));
    Finding one = only(rule, incident().withoutBaseline().dump(70, threads(8, 1)));
    assertFalse(warns(one, Hypothesis.THREAD_POOL_EXHAUSTED));
  }
}
