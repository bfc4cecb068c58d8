package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.refutes;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sensors say together; each has a test of its own. */
class PoolWaitRuleTest {

  private final Rule rule = new PoolWaitRule();

  private static IncidentBuilder demandBeyondThePool() {
    return incident().rate(10).hold(120).poolSize(1);
  }

  @Test
  void eachSensorSaysItsPart() {
    // 10/s x 120 ms = 1.2 connections of 1.
    List<Finding> findings =
        rule.examine(
            demandBeyondThePool()
                .recorded(Signal.THREAD_PARKS)
                .waits(600, 60, 120, WaitKind.POOL, "HikariCP", 3000)
                .dump(70, 30, 1, 0, 0)
                .build());
    assertEquals(
        List.of(
            "Little's law: the demand needs 1.20 connections of a pool of 1 (120.0 % in use)",
            "in one dump 30 of 31 threads wait for a connection (HikariCP) and 1 request thread uses"
                + " one",
            "600 waits for a connection (HikariCP), 3 s on average, 30 threads at the peak;"
                + " explained 100.0 % by the pool's size"),
        findings.stream().map(Finding::statement).toList());
    assertTrue(findings.stream().allMatch(finding -> finding.rule().equals("pool-wait")));
  }

  @Test
  void figuresAndDumpsContradictWithoutARecording() {
    assertTrue(
        found(incident().rate(813).hold(4.32).poolSize(10))
            .anyMatch(finding -> refutes(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED)));
    IncidentBuilder dumped = incident().dump(70, 60, 4, 0, 0).dump(100, 96, 4, 0, 0);
    assertTrue(found(dumped).anyMatch(finding -> refutes(finding, Hypothesis.CONNECTION_LEAK)));
    assertTrue(
        found(dumped)
            .anyMatch(finding -> supports(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED)));
  }

  private Stream<Finding> found(IncidentBuilder incident) {
    return rule.examine(incident.build()).stream();
  }

  @Test
  void whatASensorLacksIsNamed() {
    assertEquals(Set.of(Signal.THREAD_PARKS, Signal.THREAD_DUMPS), rule.needs());
  }
}
