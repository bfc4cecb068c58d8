package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.all;
import static io.gcdiag.sketches.Threads.serving;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientWaitRuleTest {

  private final Rule rule = new ClientWaitRule();

  private static List<ThreadState> threads(int writing, int running) {
    return all(
        serving(writing, ThreadActivity.WAITING_FOR_CLIENT, "Tomcat", "com.acme.Files.send"),
        serving(running, ThreadActivity.RUNNING, "", "com.acme.Files.find"));
  }

  @Test
  void threadsThatWaitForTheirClientsAreExplainedByThem() {
    Finding finding =
        only(rule, incident().withoutCalm().dump(70, threads(17, 3)).dump(90, threads(12, 2)));
    assertEquals(
        "17 of 20 threads at work are waiting for a slow client (Tomcat), most at com.acme.Files.send,"
            + " in 2 of 2 dumps",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT), 1e-9);
    // (17 + 12) / 2
    assertEquals(14.5, value(finding, "threadsWaiting"), 1e-9);
  }
}
