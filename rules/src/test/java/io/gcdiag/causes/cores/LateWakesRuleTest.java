package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.cores.CpuSaturationCause.LateWakesRule;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import org.junit.jupiter.api.Test;

class LateWakesRuleTest {

  private final Rule rule = new LateWakesRule();

  /** The machine full for a minute, by us and by others. */
  private static IncidentBuilder full(double jvm, double machine) {
    IncidentBuilder builder = incident().cpus(2);
    for (int i = 0; i < 60; i++) {
      builder.cpu(i, 0.1, 0.2).cpu(60 + i, jvm, machine);
    }
    return builder;
  }

  /** Ten timed waits at once, each late by so much. */
  private static LateWakes wakes(double second, double lateMillis) {
    return new LateWakes(
        at(second),
        millis(100),
        10,
        millis(10 * lateMillis),
        millis(lateMillis),
        new Source(IncidentBuilder.RECORDING, "jdk.ThreadPark"));
  }

  /** Others fill the machine; timed waits are late by so much before and meanwhile. */
  private static IncidentBuilder overrunning(double millisBefore, double millis) {
    return full(0.05, 0.95)
        .sample(wakes(20, millisBefore))
        .sample(wakes(30, millisBefore))
        .sample(wakes(70, millis))
        .sample(wakes(75, millis));
  }

  @Test
  void whoIsReadyAndLateWaitsForACoreThatOthersHave() {
    // 10 x 2 ms and 20 x 3.5 ms: 90 ms in 30 waits.
    Finding finding =
        only(
            rule,
            full(0.05, 0.95).sample(wakes(70, 2)).sample(wakes(75, 3.5)).sample(wakes(80, 3.5)));
    assertEquals(
        "threads waited for CPU: timed waits overran by 3 ms on average", finding.statement());
    assertTrue(supports(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void withoutLatenciesAllRequestsWaitAsLongAsTimedWaitsDo() {
    // 4 ms against 0.1 ms: by a millisecond and more, a quick request takes several times as long.
    assertTrue(warns(only(rule, overrunning(0.1, 4)), Hypothesis.HOST_CPU_CONTENTION));
    assertFalse(warns(only(rule, overrunning(0.9, 1.2)), Hypothesis.HOST_CPU_CONTENTION));
    Finding measured = only(rule, overrunning(0.1, 4).loadTest(100, 1, 2, 5));
    assertFalse(warns(measured, Hypothesis.HOST_CPU_CONTENTION));
    assertTrue(supports(measured, Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void whoFillsTheCoresHimselfWaitsForHimself() {
    Finding finding = only(rule, full(0.85, 0.95).sample(wakes(70, 4)).sample(wakes(75, 4)));
    assertTrue(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void aFullMachineDelaysNobodyWhoGetsACoreAtOnce() {
    Finding finding = only(rule, overrunning(0.1, 0.2));
    assertEquals(
        "threads got CPU at once although the cores were full: timed waits overran "
            + "by 200 us on average (before: 100 us)",
        finding.statement());
    assertTrue(weakens(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  /** GC threads got 100 ms of CPU time in 500 ms: 80 % of each pause is waiting for CPU. */
  @Test
  void whereTheCollectorWaitsForCpuThreadsAreNotSaidToGetItAtOnce() {
    IncidentBuilder incident = overrunning(0.1, 0.2).pauses(10, 60, 120, young(60, 500));
    for (int i = 0; i < 10; i++) {
      incident.collectorCpu(61 + 6 * i, 100, 500);
    }
    Finding finding = only(rule, incident);
    assertEquals(
        "threads that woke got CPU at once, the collector's did not: timed waits overran by 200 us"
            + " on average (before: 100 us)",
        finding.statement());
    assertFalse(weakens(finding, Hypothesis.HOST_CPU_CONTENTION));
  }

  /** Others fill the machine in the second half of the incident; timed waits in both halves. */
  private static IncidentBuilder fullLater(double millisBefore, double millis) {
    IncidentBuilder builder = incident().cpus(2);
    for (int i = 0; i < 120; i++) {
      builder.cpu(i, 0.05, i <= 90 ? 0.2 : 0.95);
    }
    for (double at : new double[] {70.5, 75.5, 80.5}) {
      builder.sample(wakes(at, millisBefore)).sample(wakes(at + 25, millis));
    }
    return builder;
  }

  @Test
  void whoIsLaterWhileTheMachineIsFullWaitsHoweverSmallTheMeanOfBothStatesIs() {
    Finding later = only(rule, fullLater(0.1, 0.5));
    assertEquals(
        "threads waited for CPU where the cores were full: timed waits overran by 300 us on average",
        later.statement());
    assertTrue(supports(later, Hypothesis.HOST_CPU_CONTENTION));
    assertTrue(weakens(only(rule, fullLater(0.1, 0.15)), Hypothesis.HOST_CPU_CONTENTION));
  }

  @Test
  void fewWaitsMeetNoDelayByChance() {
    assertSilent(rule, full(0.05, 0.95).sample(wakes(70, 5)));
  }

  @Test
  void aWaitThatACollectionHeldUpSaysNothingOfCores() {
    // All threads stood still from 69.9 s to 70.9 s.
    assertSilent(
        rule,
        full(0.05, 0.95)
            .pause(PauseSketch.young(69.9, 1000))
            .sample(wakes(70.8, 500))
            .sample(wakes(70.9, 500)));
  }

  @Test
  void aMachineWithRoomIsNotAsked() {
    assertSilent(rule, full(0.05, 0.3).sample(wakes(70, 5)).sample(wakes(75, 5)));
  }
}
