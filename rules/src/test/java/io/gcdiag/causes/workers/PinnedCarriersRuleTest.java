package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.workers.VirtualThreadPinningCause.PinnedCarriersRule;
import io.gcdiag.evidence.threads.ThreadGroupSample.CarrierThreads;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import org.junit.jupiter.api.Test;

class PinnedCarriersRuleTest {

  private static final String SITE = "Bank.confirm < Card.pay";

  private final Rule rule = new PinnedCarriersRule();

  /** Calls of 40 ms: one after the other in the baseline, two at a time in the incident. */
  private static IncidentBuilder twoAtATime() {
    return incident()
        .waits(1500, 0, 60, WaitKind.PINNED, SITE, 40)
        .waits(1500, 60, 120, WaitKind.PINNED, SITE, 40)
        .waits(1500, 60, 120, WaitKind.PINNED, SITE, 40);
  }

  @Test
  void pinnedThreadsThatKeepAllCarriersKeepEverybodyOut() {
    Finding finding = only(rule, twoAtATime().cpus(2));
    assertEquals(
        "pinned virtual threads blocked 2 of 2 carriers on average (before: 1), and "
            + "left none free 100.0 % of the time; most in Bank.confirm < Card.pay (3,000 times, "
            + "40 ms on average)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.VIRTUAL_THREAD_PINNING, Effect.PINNED), 1e-9);
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.PINNED), 1e-9);
    assertTrue(warns(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
  }

  /**
   * 120 s pinned, all of it in calls, of 360 s in calls: in the other 240 s responses that came may
   * have waited for a carrier.
   */
  @Test
  void callsThatAreNotPinnedMayWaitForACarrier() {
    Finding finding =
        only(rule, twoAtATime().cpus(2).waits(3600, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 100));
    assertEquals(2 / 3.0, passes(finding, Effect.DOWNSTREAM_WAIT, Effect.PINNED), 0.001);
  }

  @Test
  void aCarrierThatComputesIsNotFreeEither() {
    // Three of four kept, and the service computes on 0.8 of them: 3.8 are taken, 3/4 by pinned.
    Finding finding =
        only(
            rule,
            incident()
                .waits(4500, 60, 120, WaitKind.PINNED, SITE, 40)
                .cpus(4)
                .cpu(70, 0.2, 0.5)
                .cpu(100, 0.2, 0.5));
    assertEquals(0.75, passes(finding, Effect.UNACCOUNTED, Effect.PINNED), 0.01);
  }

  @Test
  void withACarrierFreeNobodyWaitsForOne() {
    Finding finding = only(rule, twoAtATime().cpus(4));
    assertTrue(refutes(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
    assertEquals(0, twoAtATime().cpus(4).build().effects().during(Effect.PINNED), 1e-9);
  }

  @Test
  void theTimePinnedCountsWhileAllCarriersAreKept() {
    // 2 threads for 60 s; the baseline has one of two carriers free.
    EffectTimes times = twoAtATime().cpus(2).build().effects();
    assertEquals(120, times.excessSeconds(Effect.PINNED), 1e-6);
  }

  @Test
  void theSettingGoesBeforeTheCores() {
    Source source = new Source(RECORDING, "jdk.InitialSystemProperty");
    Finding finding = only(rule, twoAtATime().cpus(2).sample(new CarrierThreads(at(0), 8)));
    assertTrue(refutes(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
  }

  @Test
  void withoutTheNumberOfCarriersItOnlySupports() {
    Finding finding = only(rule, twoAtATime());
    assertTrue(supports(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
    assertFalse(warns(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
  }

  @Test
  void withoutPinnedThreadsThereIsNothingToSay() {
    assertSilent(rule, incident().cpus(2));
  }
}
