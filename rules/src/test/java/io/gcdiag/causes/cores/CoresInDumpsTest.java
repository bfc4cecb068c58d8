package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.refutes;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.warns;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoresInDumpsTest {

  private final Rule rule = new CpuLoadRule();

  /** So many request threads that run, each of which has used so many seconds of CPU. */
  private static List<ThreadState> running(int count, double cpuSeconds) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ThreadPosition standing =
          Made.position(1, "com.shop.Search.match", (long) (cpuSeconds * 1e9));
      threads.add(thread("qtp-" + i, "RUNNABLE", ThreadActivity.RUNNING, "", true, standing));
    }
    return threads;
  }

  @Test
  void moreRequestsRunThanThereAreCoresAndUseThem() {
    // 100 threads used 0.19 s each in 10 s: 1.9 cores.
    Finding finding =
        only(rule, incident().cpus(2).dump(70, running(100, 1)).dump(80, running(100, 1.19)));
    assertEquals(
        "up to 100 requests run at a time, more than there are cores (2) in 2 of 2 "
            + "dumps; Java threads used at least 1.9 cores between dumps",
        finding.statement());
    assertEquals(1.9, value(finding, "coresUsed"), 1e-6);
    // 1.9 of 2 cores = 95 %.
    assertTrue(warns(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void threadsThatRunAndUseThreeQuartersOfTheCoresAreALead() {
    // 100 x 0.15 s / 10 s = 1.5 of 2 cores = 75 %.
    Finding finding =
        only(rule, incident().cpus(2).dump(70, running(100, 1)).dump(80, running(100, 1.15)));
    assertTrue(supports(finding, Hypothesis.CPU_SATURATION));
    assertFalse(warns(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void fewCoresUsedAreNoShortageOfThem() {
    // 2 x 0.5 s / 40 s = 0.025 cores, in 40 of the incident's 60 s.
    Finding finding =
        only(rule, incident().cpus(2).dump(70, running(2, 1)).dump(110, running(2, 1.5)));
    assertEquals(
        "all threads together used 0.03 of 2 cores between dumps (40 s)", finding.statement());
    assertTrue(refutes(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void dumpsOfASmallPartOfTheIncidentDoNotRuleTheCoresOut() {
    Finding finding =
        only(rule, incident().cpus(2).dump(70, running(2, 1)).dump(80, running(2, 1.5)));
    assertTrue(weakens(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void fullCoresThatALoadTestMeasuredAreNoWarning() {
    Finding finding =
        only(
            rule,
            incident()
                .cpus(2)
                .loadTest(100, 2)
                .dump(70, running(100, 1))
                .dump(80, running(100, 1.19)));
    assertTrue(supports(finding, Hypothesis.CPU_SATURATION));
    assertFalse(warns(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void threadsThatRunAndGetLittleCpuAreNoLead() {
    Finding finding =
        only(rule, incident().cpus(2).dump(70, running(100, 1)).dump(80, running(100, 1.05)));
    assertFalse(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void tenRequestsThatRunOnEachCoreAreNoChanceEvenInOneDump() {
    Finding finding = only(rule, incident().cpus(2).dump(70, running(20, 1)));
    assertEquals(
        "up to 20 requests run at a time, more than there are cores (2) in 1 of 1 dump",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void asManyAsCoresOneDumpOrCoresUnknownSayNothing() {
    assertSilent(rule, incident().cpus(2).dump(70, running(2, 1)).dump(80, running(2, 9)));
    assertSilent(rule, incident().cpus(2).dump(70, running(19, 1)));
    assertSilent(rule, incident().dump(70, running(100, 1)).dump(80, running(100, 1.19)));
  }

  @Test
  void whereTheLoadOfTheCoresIsRecordedItGoesBefore() {
    assertSilent(
        rule,
        incident()
            .recorded(Signal.CPU_LOAD)
            .cpus(2)
            .dump(70, running(100, 1))
            .dump(80, running(100, 1.19)));
  }

  /** Threads outside all requests, by name, that have used so many seconds of CPU. */
  private static List<ThreadState> outside(ThreadActivity activity, double... cpuSeconds) {
    List<ThreadState> threads = new ArrayList<>();
    for (double used : cpuSeconds) {
      ThreadPosition standing = Made.position(1, "com.shop.Index.build", (long) (used * 1e9));
      threads.add(thread("batch-" + threads.size(), "RUNNABLE", activity, "", false, standing));
    }
    return threads;
  }

  @Test
  void threadsThatComputeWithoutRestAreALeadThoughTheNumberOfCoresIsUnknown() {
    // 9.8 s in 10 s are 0.98 of a core; 4 s are not without rest.
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, outside(ThreadActivity.RUNNING, 1, 7))
                .dump(80, outside(ThreadActivity.RUNNING, 10.8, 11)));
    assertEquals(
        "1 thread used a core without rest between dumps (10 s), most batch-0, running at"
            + " com.shop.Index.build; all threads together used 1.38 cores",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CPU_SATURATION));
    assertFalse(warns(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void aSelectorThatSpinsIsNotAtRestThoughItsStackWaits() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, outside(ThreadActivity.IDLE, 1))
                .dump(80, outside(ThreadActivity.IDLE, 10.9)));
    assertEquals(1, value(finding, "withoutRest"));
  }

  @Test
  void threadsThatFillAllCoresWithoutRestAreTheCauseByDumpsAlone() {
    // 9.7 + 9.8 s in 10 s: 1.95 of 2 cores.
    Finding finding =
        only(
            rule,
            incident()
                .cpus(2)
                .dump(70, outside(ThreadActivity.RUNNING, 1, 1))
                .dump(80, outside(ThreadActivity.RUNNING, 10.7, 10.8)));
    assertTrue(warns(finding, Hypothesis.CPU_SATURATION));
  }

  @Test
  void whoComputesWithoutRestIsNamedThoughCoresAreLeft() {
    Finding finding =
        only(
            rule,
            incident()
                .cpus(8)
                .dump(70, outside(ThreadActivity.RUNNING, 1))
                .dump(110, outside(ThreadActivity.RUNNING, 40)));
    assertEquals(
        "all threads together used 0.98 of 8 cores between dumps (40 s); without rest batch-0,"
            + " running at com.shop.Index.build",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.CPU_SATURATION));
  }
}
