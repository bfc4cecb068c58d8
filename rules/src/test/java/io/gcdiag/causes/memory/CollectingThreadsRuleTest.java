package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.refutes;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.MemoryPressureCause.CollectingThreadsRule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectingThreadsRuleTest {

  private static final List<ThreadState> THREADS =
      List.of(
          thread(
              "qtp-1",
              "RUNNABLE",
              ThreadActivity.RUNNING,
              "",
              true,
              Made.position(1, "com.shop.Search.match", 1_000_000)));

  private final Rule rule = new CollectingThreadsRule();

  @Test
  void gcThreadsThatWorkAreALeadToRecordPauses() {
    // (16.1 s - 7.2 s) / 10 s = 0.89 cores.
    Finding finding = only(rule, incident().dump(70, THREADS, 7.2).dump(80, THREADS, 16.1));
    assertEquals(
        "GC and VM threads used 8.9 s of CPU time in the 10 s between thread dumps; their pauses are in no file,"
            + " log them with -Xlog:gc*,safepoint",
        finding.statement());
    assertEquals(0.89, value(finding, "collectorCores"), 1e-6);
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE));
    assertTrue(supports(finding, Hypothesis.ALLOCATION_CHURN));
  }

  @Test
  void gcThreadsThatHardlyWorkStoppedNobody() {
    // 0.024 s / 40 s = 0.0006 cores, over 40 of the incident's 60 s: with a tenth of a core 0.6 %.
    Finding finding = only(rule, incident().dump(70, THREADS, 1).dump(110, THREADS, 1.024));
    assertEquals(
        "GC and VM threads used 24 ms of CPU time in the 40 s between thread dumps: at most 0.1 % of the time"
            + " was stopped for a GC, if they did not wait for CPU",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.MEMORY_PRESSURE));
  }

  /** The JVM's own threads come last, and are missing in what many pass on. */
  @Test
  void dumpsWithoutTheThreadsOfTheJvmShowNothingOfThem() {
    assertSilent(rule, incident().dump(70, THREADS, 0).dump(110, THREADS, 0));
  }

  @Test
  void gcThreadsThatMayHaveWaitedForCoresRuleNothingOut() {
    // 0.12 s / 40 s = 0.003 cores: a pause takes ten times as long with a tenth of a core.
    assertTrue(
        weakens(
            only(rule, incident().dump(70, THREADS, 1).dump(110, THREADS, 1.12)),
            Hypothesis.MEMORY_PRESSURE));
    IncidentBuilder free =
        incident().recorded(Signal.CPU_LOAD, 0).dump(70, THREADS, 1).dump(110, THREADS, 1.12);
    for (int second = 0; second < 120; second++) {
      free.cpu(second, 0.2, 0.4);
    }
    assertTrue(refutes(only(rule, free), Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void aShortLookRulesNothingOut() {
    Finding finding = only(rule, incident().dump(70, THREADS, 1).dump(80, THREADS, 1.03));
    assertTrue(weakens(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void betweenTheTwoItSaysNothing() {
    // 0.5 s / 10 s = 0.05 cores: a busy service that is healthy collects as much.
    assertSilent(rule, incident().dump(70, THREADS, 1).dump(80, THREADS, 1.5));
  }

  @Test
  void recordedPausesSayItBetter() {
    assertSilent(
        rule,
        incident().recorded(Signal.GC_PAUSES, 0).dump(70, THREADS, 7.2).dump(80, THREADS, 16.1));
  }

  @Test
  void dumpsThatStateNoCpuTimeSayNothing() {
    assertSilent(rule, incident().dump(70, 0, 0, 5, 0).dump(80, 0, 0, 5, 0));
  }
}
