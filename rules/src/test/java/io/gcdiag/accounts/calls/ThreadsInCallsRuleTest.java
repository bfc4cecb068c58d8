package io.gcdiag.accounts.calls;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.sketches.Threads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadsInCallsRuleTest {

  private final Rule rule = new ThreadsInCallsRule();

  private static List<ThreadState> threads(int inCalls, int running, int idle) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, inCalls, ThreadActivity.IN_DOWNSTREAM_CALL, "PostgreSQL");
    add(threads, running, ThreadActivity.RUNNING, "");
    add(threads, idle, ThreadActivity.IDLE, "");
    return threads;
  }

  private static void add(
      List<ThreadState> threads, int count, ThreadActivity activity, String subject) {
    for (int i = 0; i < count; i++) {
      threads.add(Threads.thread("exec-" + threads.size(), "RUNNABLE", activity, subject, true));
    }
  }

  @Test
  void mostRequestsThatWaitForAnswersInTwoDumpsAreALead() {
    Finding finding =
        only(rule, incident().dump(70, threads(32, 2, 10)).dump(80, threads(30, 3, 10)));
    assertEquals(
        "32 of 34 threads at work are in downstream calls, most through PostgreSQL; at least half of those at work are in 2 of 2 dumps",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void threadsThatNobodyConnectsAreTheCauseByThemselves() {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, 30, ThreadActivity.IN_DOWNSTREAM_CALL, "OkHttp (connecting)");
    add(threads, 10, ThreadActivity.IDLE, "");
    Finding finding = only(rule, incident().withoutCalm().dump(70, threads).dump(80, threads));
    assertEquals(
        "threads wait in connect or in a host lookup: 30 on average in thread"
            + " dumps, most in OkHttp (connecting); no event names the remote host",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void aFewCallsAreWhatAServiceDoes() {
    assertSilent(rule, incident().dump(70, threads(4, 0, 10)).dump(80, threads(4, 0, 10)));
  }

  @Test
  void oneDumpIsAMoment() {
    assertSilent(rule, incident().dump(70, threads(32, 2, 10)));
  }

  @Test
  void manyThatRunBesideAreAnotherMatter() {
    assertSilent(rule, incident().dump(70, threads(10, 40, 0)).dump(80, threads(10, 40, 0)));
  }

  @Test
  void whereCallsAreRecordedTheirTimesGoBefore() {
    assertSilent(
        rule,
        incident()
            .recorded(Signal.SOCKET_READS)
            .dump(70, threads(32, 2, 10))
            .dump(80, threads(30, 3, 10)));
  }
}
