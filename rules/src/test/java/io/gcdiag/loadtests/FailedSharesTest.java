package io.gcdiag.loadtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.loadtests.Comparer.FailedShares;
import org.junit.jupiter.api.Test;

class FailedSharesTest {

  @Test
  void aRunThatFailsAtOnceHasLowerLatencies() {
    FailedShares killed = new FailedShares(0.415, 0);
    assertTrue(killed.explain(+0.1));
    // Without its failures the second run is faster all the same.
    assertFalse(killed.explain(-0.1));
    assertEquals("Failed requests: 41.5 % -> none", killed.headline());
  }

  @Test
  void aFewFailuresExplainNothing() {
    assertFalse(new FailedShares(0.01, 0).differ());
    assertFalse(new FailedShares(0.01, 0).explain(+0.1));
  }

  @Test
  void theRunWithMoreFailuresIsNamed() {
    assertTrue(new FailedShares(0, 0.2).explain(-5));
    assertEquals(
        "the second run has more failed requests (none -> 20.0 %) and lower latencies: a request"
            + " that fails at once lowers them",
        new FailedShares(0, 0.2).warning());
  }
}
