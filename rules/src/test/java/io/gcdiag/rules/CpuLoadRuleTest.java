package io.gcdiag.rules;

import static io.gcdiag.rules.Findings.*;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.ledger.Effect;
import org.junit.jupiter.api.Test;

class CpuLoadRuleTest {

  private final Rule rule = new CpuLoadRule();

  @Test
  void aMachineFilledByTheServiceSpeaksForSaturation() {
    // The service grew from 38 % to 90 %; others from 2 % to 5 %, too little to crowd it out.
    Finding finding = only(rule, incident().cpu(30, 0.38, 0.40).cpu(90, 0.90, 0.95));
    assertEquals(
        "machine CPU 95.0 % (before: 40.0 %): service 90.0 %, collector's pauses 0.0 %,"
            + " other processes 5.0 %",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CPU_SATURATION));
    assertEquals(1, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE), 1e-9);
    assertTrue(refutes(finding, Hypothesis.HOST_CPU_CONTENTION));
    assertEquals(0, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE));
  }

  @Test
  void aMachineFilledByOthersSpeaksForContentionOnly() {
    // The service stayed at 25 %; others grew from 5 % to 70 %.
    Finding finding = only(rule, incident().cpu(30, 0.25, 0.30).cpu(90, 0.25, 0.95));
    assertEquals(1, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE), 1e-9);
    assertTrue(supports(finding, Hypothesis.HOST_CPU_CONTENTION));
    assertFalse(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void workOfTheCollectorIsHandedToThePauses() {
    // Four cores: 120 s of CPU time in pauses of 240 s = 50 % of the machine. Service: 90 - 50 =
    // 40 % as before. All of the growth is the collector's.
    IncidentBuilder builder = incident().cpus(4).cpu(30, 0.40, 0.42).cpu(90, 0.90, 0.92);
    for (int i = 0; i < 60; i++) {
      builder.collectorCpu(60 + i, 2_000, 500);
    }
    Finding finding = only(rule, builder);
    assertEquals(0.5, value(finding, "collector"), 1e-9);
    assertEquals(1, passes(finding, Effect.CPU_QUEUE, Effect.STOPPED), 1e-9);
    assertFalse(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void roomOnTheCoresRulesSaturationOut() {
    Finding finding = only(rule, incident().cpu(90, 0.45, 0.50));
    assertTrue(refutes(finding, Hypothesis.CPU_SATURATION));
    assertTrue(refutes(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void tenBusyReadingsInARowKeepAMeanFromClearingTheCores() {
    // Ten readings of 80 % among fifty of 40 %: the mean is 47 %, the worst stretch 80 %.
    IncidentBuilder builder = incident();
    for (int i = 0; i < 60; i++) {
      builder.cpu(60 + i, 0.3, i >= 20 && i < 30 ? 0.8 : 0.4);
    }
    Finding finding = only(rule, builder);
    assertFalse(refutes(finding, Hypothesis.CPU_SATURATION));
    assertTrue(weakens(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void aMachineThatIsBusyAndNotFullOnlyWeakensSaturation() {
    Finding finding = only(rule, incident().cpu(90, 0.75, 0.80));
    assertTrue(weakens(finding, Hypothesis.CPU_SATURATION));
    assertFalse(refutes(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void neighboursThatWereAsBusyBeforeWeakenContention() {
    // Others: 40 % before, 40 % during.
    Finding finding = only(rule, incident().cpu(30, 0.10, 0.50).cpu(90, 0.20, 0.60));
    assertTrue(weakens(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void withoutALoadInTheIncidentThereIsNothingToSay() {
    assertSilent(rule, incident().cpu(30, 0.5, 0.5));
  }
}
