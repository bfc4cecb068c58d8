package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.passes;
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
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
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
  void fullCoresThatALoadTestMeasuredAreTheQueueBeforeThem() {
    for (IncidentBuilder builder : List.of(incident().cpus(2), incident())) {
      Finding finding =
          only(
              rule,
              builder.loadTest(100, 2).dump(70, running(100, 1)).dump(80, running(100, 1.19)));
      // 100 x 0.19 s / 10 s = 1.9, which are 95 % of two cores.
      assertEquals(
          "up to 100 requests run at a time in 2 dumps, while the JVM's threads use 2 cores: the"
              + " others wait for a CPU",
          finding.statement());
      assertEquals(1, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE));
      assertFalse(warns(finding, Hypothesis.CPU_SATURATION));
    }
  }

  @Test
  void aPartOfACoreIsNoFullMachine() {
    // 100 x 0.15 s / 10 s = 1.5 of two cores, or of a quota of one and a half.
    assertSilent(
        rule, incident().loadTest(100, 2).dump(70, running(100, 1)).dump(80, running(100, 1.15)));
  }

  @Test
  void oneDumpOfFarMoreThanTheJvmUsedSinceItsStartIsEnough() {
    // 20 x 3.5 s in 70 s: one core; 20 threads are ten and more to each.
    Finding finding = only(rule, incident().loadTest(100, 2).dump(70, running(20, 3.5), 0));
    assertEquals(1, explains(finding, Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE));
  }

  @Test
  void threadsThatMostlyCreateExceptionsAreAStormOfThem() {
    List<ThreadState> creating =
        running(3, 1).stream()
            .map(
                any ->
                    thread(
                        any.name(),
                        "RUNNABLE",
                        ThreadActivity.RUNNING,
                        "java.lang.Throwable.fillInStackTrace",
                        true,
                        any.standing()))
            .toList();
    List<ThreadState> all = new ArrayList<>(creating);
    all.add(running(4, 1).get(3));
    Finding finding = only(rule, incident().loadTest(100, 2).dump(70, all).dump(80, all));
    assertEquals(
        "6 of 8 threads that run, in 2 dumps, write the stack trace of a new exception",
        finding.statement());
    assertEquals(0.75, explains(finding, Hypothesis.EXCEPTION_STORM, Effect.CPU_QUEUE));
    assertEquals(0.75, passes(finding, Effect.WORKER_WAIT, Effect.CPU_QUEUE));
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

  /** Three dumps of two requests that run and used 1.5 s in ten: 1.5 cores. */
  private static IncidentBuilder computing(double meanMillis) {
    // 100/s x mean = requests in progress.
    return incident()
        .withoutBaseline()
        .loadTest(100, 10, meanMillis)
        .dump(70, running(2, 1), 1)
        .dump(80, running(2, 8.5), 1)
        .dump(90, running(2, 16), 1);
  }

  @Test
  void requestsThatComputeForMostOfTheirTimeAreShortOfIt() {
    // 100/s x 25 ms = 2.5 in progress; 2 x 7.5 s / 10 s = 1.5 compute: 60 %.
    Finding finding = only(rule, computing(25));
    assertEquals(
        "requests compute for 60.0 % of their time: Java threads use 1.5 cores between dumps, of"
            + " 2.5 requests in progress, and all 6 at work in 3 dumps run, most at"
            + " com.shop.Search.match",
        finding.statement());
    assertEquals(0.6, explains(finding, Hypothesis.CPU_SATURATION, Effect.UNACCOUNTED), 1e-6);
  }

  @Test
  void requestsThatComputeForATenthOfTheirTimeWaitForSomethingElse() {
    // 100/s x 150 ms = 15 in progress.
    assertSilent(rule, computing(150));
  }
}
