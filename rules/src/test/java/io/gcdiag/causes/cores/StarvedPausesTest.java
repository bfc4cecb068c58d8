package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.cores.HostCpuContentionCause.PauseCpuRule;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import org.junit.jupiter.api.Test;

class StarvedPausesTest {

  private final Rule rule = new PauseCpuRule();

  /** Ten pauses of 50 ms on two cores, others quiet. */
  private static IncidentBuilder baseline() {
    IncidentBuilder builder = incident().pauses(10, 0, 60, young(0, 50)).cpu(30, 0.3, 0.35);
    for (int i = 0; i < 10; i++) {
      builder.collectorCpu(i * 6, 100, 50);
    }
    return builder;
  }

  private static IncidentBuilder pausesOf(IncidentBuilder builder, double cpu, double real) {
    builder.pauses(10, 60, 120, young(0, real));
    for (int i = 0; i < 10; i++) {
      builder.collectorCpu(60 + i * 6, cpu, real);
    }
    return builder;
  }

  @Test
  void collectorThreadsWithoutACoreMakeLongPausesOfOthersDoing() {
    // Before 100/50 = 2 cores in pauses; during 50/100 = 0.5, while others had 0.9 - 0.4 = 50 % of
    // the machine: 1 - 0.5/2 = 75 % of the pauses is waiting for a core.
    Finding finding = only(rule, pausesOf(baseline(), 50, 100).cpu(90, 0.4, 0.9));
    assertEquals(
        "the GC threads got 0.5 cores on average during pauses while other processes used the CPU:"
            + " 75.0 % of the growth in pause time is waiting for CPU",
        finding.statement());
    assertEquals(0.75, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED), 1e-9);
    // 10 x 50 ms of CPU time in 10 x 100 ms.
    assertEquals(
        "cores in pauses = CPU time / elapsed time = 500 ms / 1 s", finding.arithmetic().get(0));
  }

  @Test
  void lowParallelismOnAQuietMachineHasReasonsOfItsOwn() {
    assertSilent(rule, pausesOf(baseline(), 50, 100).cpu(90, 0.4, 0.45));
  }

  @Test
  void asManyCoresAsBeforeMeansThatOthersTookNone() {
    assertSilent(rule, pausesOf(baseline(), 200, 100).cpu(90, 0.4, 0.9));
  }

  @Test
  void aFewTicksOfTheClockMakeNoParallelism() {
    // 9 x 10 ms = 90 ms measured, in steps of 10 ms.
    IncidentBuilder builder = baseline().pauses(9, 60, 120, young(0, 100)).cpu(90, 0.4, 0.9);
    for (int i = 0; i < 9; i++) {
      builder.collectorCpu(60 + i * 6, 0, 10);
    }
    assertSilent(rule, builder);
  }
}
