package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.waits.NativeOrUnknownCause.UnknownWaitsRule;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.threads.Effect;
import org.junit.jupiter.api.Test;

class UnknownWaitsRuleTest {

  private static final String LATCH = "java.util.concurrent.CountDownLatch$Sync";

  private final Rule rule = new UnknownWaitsRule();

  @Test
  void waitsForALatchThatGrewAreExplained() {
    // 30 waits of 1 s in 60 s are half a thread; 30 of 20 ms before are 0.01.
    Finding finding =
        only(
            rule,
            incident()
                .waits(30, 0, 60, WaitKind.OTHER, LATCH, 20)
                .waits(30, 60, 119, WaitKind.OTHER, LATCH, 1_000));
    assertEquals(
        "request threads spent 30 s waiting for a latch, a condition or a process"
            + " (java.util.concurrent.CountDownLatch$Sync), most at Shop.order, 30 times of 1 s on average",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.NATIVE_OR_UNKNOWN, Effect.OTHER_WAIT), 1e-9);
    assertEquals(0.5, value(finding, "threadsWaiting"), 0.02);
  }

  @Test
  void noMoreThanBeforeIsEvidenceAgainst() {
    assertTrue(
        weakens(
            only(
                rule,
                incident()
                    .waits(60, 0, 60, WaitKind.OTHER, LATCH, 500)
                    .waits(60, 60, 120, WaitKind.OTHER, LATCH, 500)),
            Hypothesis.NATIVE_OR_UNKNOWN));
  }

  @Test
  void withoutABaselineItIsALead() {
    Finding finding =
        only(rule, incident().withoutBaseline().waits(60, 60, 119, WaitKind.OTHER, LATCH, 1_000));
    assertTrue(supports(finding, Hypothesis.NATIVE_OR_UNKNOWN));
  }

  @Test
  void waitsForTasksAreOfThoseThatRunThem() {
    assertSilent(
        rule,
        incident()
            .waits(60, 60, 119, WaitKind.OTHER, "java.util.concurrent.FutureTask", 1_000)
            .waits(
                60,
                60,
                119,
                WaitKind.OTHER,
                "java.util.concurrent.CompletableFuture$Signaller",
                1_000));
  }
}
