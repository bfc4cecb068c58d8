package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.SwappingCause.SwapSpaceRule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import io.gcdiag.units.Bytes;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SwapSpaceRuleTest {

  private static final Source SOURCE = new Source("recording.jfr", "jdk.SwapSpace");
  private final Rule rule = new SwapSpaceRule();

  private static SwapSpace swap(double second, int usedMebi) {
    return new SwapSpace(
        at(second), Bytes.ofMebi(usedMebi), Optional.of(Bytes.ofMebi(1_024)), SOURCE);
  }

  private static MachineMemory memory(double second, int usedMebi) {
    return new MachineMemory(at(second), Bytes.ofMebi(4_096), Bytes.ofMebi(usedMebi), SOURCE);
  }

  /** Ten pauses of 400 ms in which the collector used 100 ms of CPU each. */
  private static IncidentBuilder starving(IncidentBuilder builder) {
    for (int i = 0; i < 10; i++) {
      builder.pause(young(70 + i - 0.4, 400)).collectorCpu(70 + i, 100, 400);
    }
    return builder;
  }

  @Test
  void pausesThatWaitForPagesWhileSwapFillsUpAreSwapping() {
    // 1 s of CPU in 4 s of pauses: not even one thread ran for 75 % of the time.
    Finding finding =
        only(
            rule,
            starving(incident().cpu(90, 0.2, 0.25))
                .sample(memory(1, 4_080))
                .sample(swap(1, 100))
                .sample(swap(119, 612)));
    assertEquals(
        "3.98 GiB of 4 GiB of memory in use, 612 MiB of swap in use (512 MiB more "
            + "than at first); the GC threads did not run for 75.0 % of the pauses "
            + "although the machine had free cores",
        finding.statement());
    assertEquals(0.75, explains(finding, Hypothesis.SWAPPING, Effect.STOPPED), 1e-9);
    assertEquals(0.75, explains(finding, Hypothesis.SWAPPING, Effect.UNACCOUNTED), 1e-9);
    assertEquals(512.0 * (1 << 20), value(finding, "swapGrowthBytes"), 1);
  }

  @Test
  void pausesThatWaitForANeighboursCoresAreNot() {
    Finding finding =
        only(
            rule,
            starving(incident().cpu(90, 0.2, 0.95)).sample(swap(1, 100)).sample(swap(119, 100)));
    assertEquals(0, explains(finding, Hypothesis.SWAPPING, Effect.STOPPED), 1e-9);
    assertTrue(weakens(finding, Hypothesis.SWAPPING));
  }

  @Test
  void emptySwapSpaceRulesSwappingOut() {
    assertTrue(
        refutes(
            only(rule, incident().sample(swap(1, 0)).sample(swap(119, 0))), Hypothesis.SWAPPING));
  }

  @Test
  void withoutSwapFiguresMemoryToSpareRulesItOut() {
    assertTrue(refutes(only(rule, incident().sample(memory(1, 2_048))), Hypothesis.SWAPPING));
    // The operating system's file cache counts as used on older JVMs: full means nothing.
    assertSilent(rule, incident().sample(memory(1, 4_000)));
  }

  @Test
  void oneReadingOfSwapSpaceInUseIsALead() {
    Finding finding = only(rule, incident().sample(memory(100, 4_096)).sample(swap(100, 144)));
    assertEquals("4 GiB of 4 GiB of memory in use, 144 MiB of swap in use", finding.statement());
    assertTrue(supports(finding, Hypothesis.SWAPPING));
  }

  @Test
  void whatTheOperatingSystemDoesInPausesIsSwappingWhilePagesAreSwapped() {
    Finding swapping = only(rule, kernelPauses().sample(swap(1, 0)).sample(swap(119, 144)));
    assertEquals(380 / 460.0, explains(swapping, Hypothesis.SWAPPING, Effect.STOPPED), 1e-9);
  }

  /** As in a container of 340 MiB: 80 ms of 460 in the collector's code, 380 ms in the kernel. */
  private static IncidentBuilder kernelPauses() {
    IncidentBuilder builder = incident().cpu(90, 0.2, 0.25);
    for (int i = 0; i < 10; i++) {
      builder.pause(young(70 + i - 0.46, 460)).collectorCpu(70 + i, 80, 380, 460);
    }
    return builder;
  }

  /**
   * The flight recorder reads a container's memory every 30 s. With one reading nothing is seen to
   * grow; memory that is full says that the pages in swap space have no room outside it.
   */
  @Test
  void oneReadingOfFullMemoryLetsTheKernelsPartOfPausesCount() {
    IncidentBuilder full = kernelPauses().sample(memory(90, 4_090)).sample(swap(90, 59));
    assertEquals(
        380 / 460.0, explains(only(rule, full), Hypothesis.SWAPPING, Effect.STOPPED), 1e-9);
    IncidentBuilder roomy = kernelPauses().sample(memory(90, 2_048)).sample(swap(90, 59));
    assertEquals(0, explains(only(rule, roomy), Hypothesis.SWAPPING, Effect.STOPPED), 1e-9);
  }

  @Test
  void growingSwapAloneIsNoShareOfTheIncident() {
    Finding finding = only(rule, incident().sample(swap(1, 0)).sample(swap(119, 300)));
    assertTrue(supports(finding, Hypothesis.SWAPPING));
    assertFalse(refutes(finding, Hypothesis.SWAPPING));
    assertEquals(0, explains(finding, Hypothesis.SWAPPING, Effect.STOPPED), 1e-9);
  }

  private static IncidentBuilder level() {
    return incident().cpu(90, 0.2, 0.25).sample(swap(1, 500)).sample(swap(119, 500));
  }

  /** 1 MiB a second over the minute of the incident. */
  @Test
  void pagesThatGoAndComeAreSwappingThoughAsManyAreInUse() {
    assertTrue(weakens(only(rule, level()), Hypothesis.SWAPPING));
    double[] rate = new double[12];
    Arrays.fill(rate, 1 << 20);
    Finding finding =
        only(rule, level().metered(MeterSketch.gauge("swap", MetricMeaning.SWAP_TRAFFIC, rate)));
    assertEquals(
        "500 MiB of swap in use (0 B more than at first), 60 MiB swapped out and in",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.SWAPPING));
  }
}
