package io.gcdiag.accounts.calls;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallsWithoutEventsTest {

  private final Rule rule = new DownstreamTimeRule();

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
        "32 of 34 threads at work are in downstream calls (PostgreSQL), in 2 of 2 dumps",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  /** Three dumps of 30 threads in calls and 10 idle; GC threads use 30 ms in 10 s: 0.3 %. */
  private static IncidentBuilder thirtyInCalls() {
    List<ThreadState> threads = threads(30, 0, 9);
    threads.add(
        Threads.thread(
            "exec-39", "", ThreadActivity.IDLE, "", true, Made.position(1, "", 1_000_000)));
    return incident().dump(70, threads, 1).dump(80, threads, 1.03).dump(90, threads, 1.06);
  }

  @Test
  void moreCallsThanThereWereRequestsBeforeTakeLonger() {
    // Before 100/s x 10 ms = 1 request in progress; now 100/s x 300 ms = 30, all of them in calls.
    Finding finding = only(rule, thirtyInCalls().requests(100, 10, 300));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void asManyCallsAsThereWereRequestsBeforeAreALead() {
    // Before 100/s x 250 ms = 25 requests in progress; 30 threads of 40 in 3 dumps may be 10.
    assertTrue(
        supports(only(rule, thirtyInCalls().requests(100, 250, 300)), Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void requestsThatWereStoppedWaitInTheirCallsAsWell() {
    // No dump states how much CPU time GC threads used: the time may have been stopped.
    List<ThreadState> threads = threads(30, 0, 10);
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, threads)
                .dump(80, threads)
                .dump(90, threads)
                .requests(100, 10, 300));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
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
