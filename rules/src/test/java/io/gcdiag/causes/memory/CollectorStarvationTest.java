package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import org.junit.jupiter.api.Test;

class CollectorStarvationTest {

  private static IncidentBuilder collections(
      IncidentBuilder builder, double from, double cpu, double real) {
    for (int i = 0; i < 10; i++) {
      builder.collectorCpu(from + i * 6, cpu, real);
    }
    return builder;
  }

  private static double share(IncidentBuilder builder) {
    return CollectorStarvation.share(builder.build());
  }

  @Test
  void theCalmsParallelismIsTheMeasureIfItWasQuiet() {
    // 2 cores before, 0.5 during: 1 - 0.5/2 = 75 %.
    IncidentBuilder builder = incident().cpu(30, 0.3, 0.4).cpu(90, 0.4, 0.9);
    collections(builder, 0, 100, 50);
    collections(builder, 60, 50, 100);
    assertEquals(0.75, share(builder), 1e-9);
  }

  @Test
  void withoutAQuietBaselineAFullMachineShouldGiveAllCollectorThreads() {
    // 4 collector threads on 8 processors got 1: 1 - 1/4 = 75 %.
    IncidentBuilder builder =
        incident().withoutBaseline().cpus(8).flag("ParallelGCThreads", "4").cpu(90, 0.4, 0.95);
    assertEquals(0.75, share(collections(builder, 60, 100, 100)), 1e-9);
  }

  @Test
  void aMachineThatIsFullInPausesIsFullForTheCollector() {
    // Half of the cores are in use on average, and all while the collector works: 1 - 1/4 = 75 %.
    IncidentBuilder builder =
        incident()
            .withoutBaseline()
            .cpus(8)
            .flag("ParallelGCThreads", "4")
            .cpu(70, 0.1, 0.35)
            .cpu(79, 0.1, 0.35)
            .cpu(81, 0.4, 0.95)
            .pause(PauseSketch.young(80, 100));
    assertEquals(0.75, share(collections(builder, 60, 100, 100)), 1e-9);
  }

  @Test
  void onAMachineWithRoomOneCoreIsTheMeasure() {
    // Others have 40 % of the machine, which is not full: 1 - 0.5/1 = 50 %.
    IncidentBuilder builder = incident().withoutBaseline().cpus(8).cpu(90, 0.2, 0.6);
    assertEquals(0.5, share(collections(builder, 60, 50, 100)), 1e-9);
  }

  @Test
  void withoutOthersNothingIsTaken() {
    // Others: 0.55 - 0.4 = 15 %, below 20 %.
    IncidentBuilder builder = incident().withoutBaseline().cpu(90, 0.4, 0.55);
    assertEquals(0, share(collections(builder, 60, 50, 100)));
  }

  @Test
  void othersThatHadAsMuchOfTheMachineBeforeAreNotWhyPausesGrew() {
    // Two collector threads got one core in each pause, and would have before, had there been any.
    assertEquals(0, share(collections(besideOthers(), 60, 100, 100)));
    assertEquals(0, share(collections(collections(besideOthers(), 0, 20, 20), 60, 100, 100)));
    // What made two cores of it one was not those who had as much before.
    assertEquals(0, share(collections(collections(besideOthers(), 0, 40, 20), 60, 100, 100)));
  }

  private static IncidentBuilder besideOthers() {
    return incident().cpus(2).flag("ParallelGCThreads", "2").cpu(30, 0.1, 0.65).cpu(90, 0.45, 0.95);
  }

  @Test
  void withoutCpuTimesNothingIsKnown() {
    assertEquals(0, share(incident().cpu(90, 0.4, 0.95)));
  }
}
