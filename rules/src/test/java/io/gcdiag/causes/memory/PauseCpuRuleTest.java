package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import org.junit.jupiter.api.Test;

class PauseCpuRuleTest {

  private final Rule rule = new PauseCpuRule();

  /** Ten pauses of half a second, each with so much CPU time. */
  private static IncidentBuilder pauses(double userMillis, double systemMillis) {
    IncidentBuilder to = incident().pauses(10, 60, 120, PauseSketch.young(60, 500));
    for (int i = 0; i < 10; i++) {
      to.timeline()
          .gcCpu(
              new GcCpu(
                  at(61 + 6 * i),
                  millis(userMillis),
                  millis(systemMillis),
                  millis(500),
                  IncidentBuilder.RECORDING));
    }
    return to;
  }

  @Test
  void threadsThatCouldNotRunWereKeptFromItByOneOrTheOther() {
    // 10 x 100 ms of CPU time in 10 x 500 ms: 0.2 cores; 0.8 of the stop, half of it each.
    Finding finding = only(rule, pauses(90, 10));
    assertEquals(
        "the GC threads got 0.2 cores on average during pauses, less than a single thread"
            + " can use: other processes, a CPU quota or swapped-out memory kept them from running",
        finding.statement());
    assertEquals(0.4, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED), 1e-9);
    assertEquals(0.4, explains(finding, Hypothesis.CPU_THROTTLING, Effect.STOPPED), 1e-9);
    assertTrue(supports(finding, Hypothesis.SWAPPING));
    assertEquals(1, finding.inseparable().size());
  }

  @Test
  void whereTheLoadIsKnownItSaysWhoHadTheCores() {
    Finding finding = only(rule, pauses(90, 10).cpu(90, 0.1, 0.9));
    assertEquals(
        "the GC threads got 0.2 cores on average during pauses while other processes used the CPU:"
            + " 80.0 % of the growth in pause time is waiting for CPU",
        finding.statement());
    assertEquals(0.8, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED), 1e-9);
  }

  @Test
  void oneThreadsWorkIsNoStarvation() {
    assertSilent(rule, pauses(350, 50));
  }

  @Test
  void fewPausesMayHaveMetAMomentsTrouble() {
    IncidentBuilder incident = incident();
    for (int i = 0; i < 4; i++) {
      incident.collectorCpu(70 + i, 10, 500);
    }
    assertSilent(rule, incident);
  }

  @Test
  void theKernelsPartIsNobodysPauses() {
    // 300 of 400 ms: three quarters.
    IncidentBuilder incident = pauses(100, 300);
    Finding finding = only(rule, incident);
    assertTrue(finding.statement().startsWith("75.0 % of the CPU time of pauses is kernel time"));
    assertTrue(supports(finding, Hypothesis.SWAPPING));
    assertEquals(0, explains(finding, Hypothesis.SWAPPING, Effect.STOPPED), 1e-9);
  }

  @Test
  void itCountsForNoSmallHeapThen() {
    // Full all along: 90 of 100 MiB in use after each of ten pauses of half a second.
    IncidentBuilder quick = incident();
    IncidentBuilder slow = incident();
    for (IncidentBuilder incident : new IncidentBuilder[] {quick, slow}) {
      incident.pauses(10, 60, 120, PauseSketch.young(60, 500).heap(98, 90, 100));
      for (int i = 0; i < 10; i++) {
        boolean kernel = incident == slow;
        incident
            .timeline()
            .gcCpu(
                new GcCpu(
                    at(61 + 6 * i),
                    millis(kernel ? 100 : 400),
                    millis(kernel ? 300 : 0),
                    millis(500),
                    IncidentBuilder.RECORDING));
      }
    }
    assertEquals(1, StoppedTimeSplit.of(quick.build()).share(Hypothesis.MEMORY_PRESSURE), 1e-9);
    assertEquals(0.25, StoppedTimeSplit.of(slow.build()).share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }
}
