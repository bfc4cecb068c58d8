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

class ClientWaitRuleTest {

  private final Rule rule = new ClientWaitRule();

  private static List<ThreadState> threads(int writing, int running) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, writing, ThreadActivity.WAITING_FOR_CLIENT, "Tomcat");
    add(threads, running, ThreadActivity.RUNNING, "");
    return threads;
  }

  private static void add(
      List<ThreadState> to, int count, ThreadActivity activity, String subject) {
    for (int i = 0; i < count; i++) {
      ThreadPosition at = new ThreadPosition(1, "com.acme.Files.send", ThreadPosition.UNKNOWN_CPU);
      to.add(thread("exec-" + to.size(), "WAITING", activity, subject, true, at));
    }
  }

  @Test
  void threadsThatWaitForTheirClientsAreExplainedByThem() {
    Finding finding =
        only(rule, incident().withoutCalm().dump(70, threads(17, 3)).dump(90, threads(12, 2)));
    assertEquals(
        "17 of 20 threads at work wait for slow clients (Tomcat), most at com.acme.Files.send, in 2 of"
            + " 2 dumps",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT), 1e-9);
    // (17 + 12) / 2
    assertEquals(14.5, value(finding, "threadsWaiting"), 1e-9);
  }

  @Test
  void noMoreThanInTheBaselineIsEvidenceAgainst() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(20, threads(17, 3))
                .dump(40, threads(17, 3))
                .dump(70, threads(17, 3))
                .dump(90, threads(17, 3)));
    assertTrue(weakens(finding, Hypothesis.SLOW_CLIENTS));
  }

  @Test
  void requestThreadsThatOnlyRunSayNothing() {
    assertSilent(rule, incident().withoutCalm().dump(70, threads(0, 5)).dump(90, threads(0, 4)));
  }
}
