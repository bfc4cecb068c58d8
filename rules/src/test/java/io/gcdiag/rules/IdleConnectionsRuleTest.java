package io.gcdiag.rules;

import static io.gcdiag.rules.Findings.*;
import static io.gcdiag.rules.IncidentBuilder.at;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.SampledTime;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.ledger.Effect;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IdleConnectionsRuleTest {

  private final Rule rule = new IdleConnectionsRule();

  /** Threads in calls, two in the calm and so many in the incident, while three wait. */
  private static IncidentBuilder waiting(double calls) {
    IncidentBuilder builder = incident().waits(180, 60, 120, WaitKind.POOL, "HikariCP", 1_000);
    for (int second = 0; second < 120; second++) {
      builder.sample(
          new SampledTime(
              at(second),
              Duration.ofSeconds(1),
              Optional.of(WaitKind.DOWNSTREAM),
              "PostgreSQL",
              "Orders.find",
              "http-N",
              true,
              20,
              second < 60 ? 2 : calls));
    }
    return builder;
  }

  @Test
  void connectionsThatNobodyUsesAreKept() {
    Finding finding = only(rule, waiting(0));
    assertEquals(
        "while threads waited for a connection (60 seconds) samples found 0 threads that serve users"
            + " in calls, against 2 before: whoever keeps the connections does not use them",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT), 1e-9);
  }

  @Test
  void connectionsAtWorkAreNotKept() {
    Finding finding = only(rule, waiting(5));
    assertTrue(refutes(finding, Hypothesis.CONNECTION_LEAK));
  }

  @Test
  void fewerCallsThanBeforeSayNothingYet() {
    assertSilent(rule, waiting(1.2));
  }

  @Test
  void withoutSamplesThereIsNothingToSay() {
    assertSilent(rule, incident().waits(180, 60, 120, WaitKind.POOL, "HikariCP", 1_000));
  }
}
