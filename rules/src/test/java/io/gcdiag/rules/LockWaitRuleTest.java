package io.gcdiag.rules;

import static io.gcdiag.rules.Findings.*;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static io.gcdiag.rules.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.WaitKind;
import io.gcdiag.ledger.Effect;
import org.junit.jupiter.api.Test;

class LockWaitRuleTest {

  private final Rule rule = new LockWaitRule();

  @Test
  void waitsThatHaveNothingToDoWithPausesAreTheLocks() {
    // 30 x 500 ms = 15 s.
    Finding finding =
        only(rule, incident().waits(30, 60, 120, WaitKind.LOCK, "com.shop.Cart", 500));
    assertEquals(
        "request threads waited 15 s for locks, most for com.shop.Cart at Shop.order (30 waits)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void waitsInTheWakeOfPausesAreHandedToThem() {
    // Every 2 s a pause of 100 ms; at its end, and only then, ten threads wait for 200 ms.
    IncidentBuilder builder = incident().pauses(30, 60, 120, young(0, 100));
    for (int i = 0; i < 10; i++) {
      builder.waits(30, 60.1, 120.1, WaitKind.LOCK, "com.shop.Cart", 200);
    }
    Finding finding = only(rule, builder);
    assertEquals(1, passes(finding, Effect.LOCK_WAIT, Effect.STOPPED), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void withoutAWaitForALockThereIsNothingToSay() {
    assertSilent(rule, incident().waits(30, 60, 120, WaitKind.POOL, "HikariCP", 500));
  }
}
