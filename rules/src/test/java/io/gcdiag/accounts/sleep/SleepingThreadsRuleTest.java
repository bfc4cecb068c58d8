package io.gcdiag.accounts.sleep;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
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
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.measures.waits.Effect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SleepingThreadsRuleTest {

  private static final String LIMITER = "Guava RateLimiter";

  private final Rule rule = new SleepingThreadsRule();

  /** Request threads: so many sleep, in that limiter if any, and so many run. */
  private static List<ThreadState> threads(int asleep, String limiter, int running) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, asleep, ThreadActivity.SLEEPING, limiter, true);
    add(threads, running, ThreadActivity.RUNNING, "", true);
    return threads;
  }

  private static void add(
      List<ThreadState> to, int count, ThreadActivity activity, String of, boolean request) {
    for (int i = 0; i < count; i++) {
      ThreadPosition standing =
          new ThreadPosition(1, "com.shop.Order.place", ThreadPosition.UNKNOWN_CPU);
      String name = "exec-" + to.size();
      to.add(thread(name, "TIMED_WAITING", activity, of, request, standing));
    }
  }

  @Test
  void aQueueInALimiterIsExplainedWithoutACalm() {
    Finding finding =
        only(
            rule,
            incident()
                .withoutCalm()
                .dump(70, threads(16, LIMITER, 4))
                .dump(90, threads(84, LIMITER, 1)));
    assertEquals(
        "up to 84 of 85 threads at work sleep, most in Guava RateLimiter at com.shop.Order.place,"
            + " in 2 of 2 dumps",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
    // (16 + 84) / 2
    assertEquals(50, value(finding, "inLimiters"), 1e-9);
  }

  @Test
  void howMuchOtherSleepingIsUsualDumpsDoNotTell() {
    Finding finding =
        only(
            rule,
            incident().withoutCalm().dump(70, threads(16, "", 4)).dump(90, threads(20, "", 1)));
    assertTrue(supports(finding, Hypothesis.REQUESTS_SLEEP));
    assertEquals(0, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
  }

  @Test
  void moreSleepingThanInTheDumpsOfTheCalmIsExplained() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(20, threads(3, "", 4))
                .dump(70, threads(16, "", 4))
                .dump(90, threads(20, "", 1)));
    assertEquals(1, explains(finding, Hypothesis.REQUESTS_SLEEP, Effect.SLEEP), 1e-9);
  }

  @Test
  void aFewOfManyAtWorkMayAlwaysSleep() {
    assertSilent(
        rule, incident().withoutCalm().dump(70, threads(3, "", 20)).dump(90, threads(4, "", 20)));
  }

  @Test
  void sleepingOfOtherThreadsKeepsNobodyWaiting() {
    List<ThreadState> pollers = new ArrayList<>();
    add(pollers, 9, ThreadActivity.SLEEPING, LIMITER, false);
    assertSilent(rule, incident().withoutCalm().dump(70, pollers).dump(90, pollers));
  }

  @Test
  void sleepsThatTheRecordingShowsAreAnotherRules() {
    assertSilent(
        rule,
        incident()
            .waits(1200, 60, 120, WaitKind.SLEEP, LIMITER, 1000)
            .dump(70, threads(16, LIMITER, 4))
            .dump(90, threads(20, LIMITER, 1)));
  }
}
