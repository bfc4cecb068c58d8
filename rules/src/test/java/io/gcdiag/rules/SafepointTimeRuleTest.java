package io.gcdiag.rules;

import static io.gcdiag.rules.Findings.*;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.ledger.Effect;
import org.junit.jupiter.api.Test;

class SafepointTimeRuleTest {

  private final Rule rule = new SafepointTimeRule();

  private static IncidentBuilder everySecond(double reaching, double at, boolean collection) {
    IncidentBuilder incident = incident();
    for (int second = 60; second < 120; second++) {
      incident.safepoint(
          second,
          reaching,
          at,
          collection ? "ParallelGCFailedAllocation" : "GC_HeapInspection",
          collection);
    }
    return incident;
  }

  @Test
  void timeUntilTheLastThreadStopsIsLostBesideTheCollection() {
    // 60 x 300 ms = 18 s of 60 s.
    Finding finding = only(rule, everySecond(300, 1, true));
    assertEquals(
        "60 safepoints cost 18 s beside the collections done at them (30.0 % of the time), the"
            + " longest 300 ms (ParallelGCFailedAllocation)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
  }

  @Test
  void theCollectionItselfIsNotCounted() {
    assertTrue(refutes(only(rule, everySecond(1, 300, true)), Hypothesis.SAFEPOINT_STALL));
  }

  @Test
  void whatManyCollectionsTakeToBeginIsTheirs() {
    // 60 x 20 ms = 1.2 s, 2 % of the time, but none of them takes long.
    Finding finding = only(rule, everySecond(20, 300, true));
    assertTrue(refutes(finding, Hypothesis.SAFEPOINT_STALL));
    assertEquals(1, passes(finding, Effect.SAFEPOINT, Effect.STOPPED), 1e-9);
  }

  @Test
  void anOperationThatIsNoCollectionCountsWhole() {
    // 60 x (1 + 99) ms = 6 s.
    assertEquals(6, value(only(rule, everySecond(1, 99, false)), "lostSeconds"), 1e-9);
  }

  @Test
  void withoutSafepointsThereIsNothingToSay() {
    assertSilent(rule, incident());
  }
}
