package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.passes;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.all;
import static io.gcdiag.sketches.Threads.serving;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.waits.SlowClientsCause.ClientWaitRule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
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
        only(rule, incident().withoutBaseline().dump(70, threads(17, 3)).dump(90, threads(12, 2)));
    assertEquals(
        "17 of 20 threads at work are waiting for a slow client (Tomcat), most at com.acme.Files.send,"
            + " in 2 of 2 dumps",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT), 1e-9);
    // (17 + 12) / 2
    assertEquals(14.5, value(finding, "threadsWaiting"), 1e-9);
  }

  /** Ten threads in writes, and so much of the CPU for all processes in the incident. */
  private Finding writing(double service, double all) {
    IncidentBuilder builder =
        incident().waits(600, 60, 120, WaitKind.CLIENT, "Tomcat", 1_000).cpu(30, 0.1, 0.2);
    for (int second = 60; second < 120; second++) {
      builder.cpu(second, service, all);
    }
    return only(rule, builder);
  }

  @Test
  void clientsAreNotToldApartFromFullCores() {
    Finding room = writing(0.2, 0.6);
    assertEquals(1, explains(room, Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT), 1e-9);
    for (double service : new double[] {0.1, 0.9}) {
      Finding full = writing(service, 1);
      assertEquals(0.5, explains(full, Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT), 1e-9);
      assertEquals(0.5, passes(full, Effect.CLIENT_WAIT, Effect.CPU_QUEUE), 1e-9);
      assertEquals(
          service < 0.5 ? Hypothesis.HOST_CPU_CONTENTION : Hypothesis.CPU_SATURATION,
          full.inseparable().get(0).other());
    }
  }
}
