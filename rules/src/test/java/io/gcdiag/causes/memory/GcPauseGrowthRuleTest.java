package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class GcPauseGrowthRuleTest {

  private final Rule rule = new GcPauseGrowthRule();

  @Test
  void aSumThatOutgrowsTheCountMeansLongerPauses() {
    // 70 x 4.4 ms = 308 ms; 80 x 15.625 ms = 1.25 s; both windows last a minute.
    // Sum 1250/308 - 1 = +306 %; count 80/70 - 1 = +14.3 %; mean 15.625/4.4 - 1 = +255 %.
    Finding finding =
        only(
            rule,
            incident()
                .pauses(70, 0, 60, young(0, 4.4).heap(256, 202, 256))
                .pauses(80, 60, 120, young(0, 15.625).heap(256, 202, 256)));
    assertEquals(
        "GC pauses: count +14.3 %, total +306 % (308 ms -> 1.25 s per minute); mean "
            + "4.4 ms -> 15.6 ms, longest 4.4 ms -> 15.6 ms",
        finding.statement());
    assertEquals(3.058, value(finding, "pauseSumGrowth"), 0.001);
    assertEquals(0.1429, value(finding, "pauseCountGrowth"), 0.0001);
    assertEquals(0.015625, value(finding, "meanPauseSeconds"), 1e-9);
    // 1.25 s of 60 s.
    assertEquals(0.0208, value(finding, "shareStopped"), 0.0001);
    assertTrue(
        finding.arithmetic().contains("share of time stopped = 1.25 s / 60 s = 2.1 %"),
        finding.arithmetic()::toString);
    // Free after collections is 21.1 %: short of room. Each collection frees as much as before, so
    // allocation grew by 80/70 - 1 = 14.3 %, which is worth 308 x 0.143 = 44 ms of the 1250 - 308 =
    // 942 ms added. The rest is pressure: 1 - 44/942 = 95.3 %.
    assertEquals(0.9533, explains(finding, Hypothesis.MEMORY_PRESSURE, Effect.STOPPED), 0.0001);
  }

  @Test
  void aHeapWithRoomIsNotBlamedForMorePauses() {
    // (256 - 50) / 256 = 80.5 % free: five times as many collections, none longer.
    Finding finding =
        only(
            rule,
            incident()
                .pauses(10, 0, 60, young(0, 5).heap(150, 50, 256))
                .pauses(50, 60, 120, young(0, 5).heap(150, 50, 256)));
    // 10 x 5 ms = 50 ms; 50 x 5 ms = 250 ms.
    assertEquals(
        "GC pauses: count +400 %, total +400 % (50 ms -> 250 ms per minute); mean 5 "
            + "ms -> 5 ms, longest 5 ms -> 5 ms",
        finding.statement());
    assertEquals(0, explains(finding, Hypothesis.MEMORY_PRESSURE, Effect.STOPPED));
  }

  @Test
  void withoutABaselineOnlyTheLevelIsStated() {
    // 100 x 32.301 ms = 3.2301 s of 60 s = 5.38 %.
    Finding finding =
        only(rule, incident().withoutBaseline().pauses(100, 60, 120, young(0, 32.301)));
    assertEquals(
        "GC paused the application 5.4 % of the time: 100 pauses per minute, mean "
            + "32.3 ms, longest 32.3 ms",
        finding.statement());
    assertEquals(0.0538, value(finding, "shareStopped"), 0.0001);
  }

  @Test
  void pausesThatCameFromNothingHaveNoGrowthInPercent() {
    Finding finding = only(rule, incident().pauses(2, 60, 120, young(0, 10)));
    assertTrue(
        finding.statement().endsWith("2 pauses per minute, mean 10 ms, longest 10 ms; none before"),
        finding::statement);
  }

  @Test
  void withoutAPauseInTheIncidentThereIsNothingToSay() {
    assertSilent(rule, incident().pauses(10, 0, 60, young(0, 5)));
  }

  private static PausePhase phase(double second, double pause, PausePart part, double millis) {
    return new PausePhase(
        at(second), millis(pause), part, millis(millis), new Source("gc.log", "line 7"));
  }

  @Test
  void theLongestPauseNamesWhatTookMostOfIt() {
    Finding finding =
        only(
            rule,
            incident()
                .pause(young(30, 5))
                .pause(young(70, 100))
                .pause(young(80, 400))
                .sample(phase(70, 100, PausePart.CLASSES, 30))
                .sample(phase(80, 400, PausePart.REFERENCES, 310))
                .sample(phase(80, 400, PausePart.CLASSES, 40)));
    assertTrue(
        finding
            .statement()
            .endsWith("longest 5 ms -> 400 ms (310 ms of which are reference processing)"),
        finding.statement());
    // Of 100 + 400 ms: 310 ms are 62 %, 30 + 40 ms are 14 %.
    assertTrue(
        finding
            .arithmetic()
            .containsAll(
                List.of(
                    "reference processing in pauses: 310 ms / 500 ms = 62.0 %",
                    "class unloading in pauses: 70 ms / 500 ms = 14.0 %")),
        finding.arithmetic()::toString);
  }

  @Test
  void aPhaseThatIsNotMostOfThePauseIsNotNamedWithIt() {
    Finding finding =
        only(
            rule,
            incident().pause(young(80, 400)).sample(phase(80, 400, PausePart.REFERENCES, 190)));
    assertTrue(finding.statement().endsWith("longest 400 ms; none before"), finding.statement());
  }

  private String lastLine(IncidentBuilder incident) {
    List<String> lines = only(rule, incident.pause(young(80, 400))).arithmetic();
    return lines.get(lines.size() - 1);
  }

  @Test
  void threadsThatCollectAreHeldAgainstTheCpus() {
    assertEquals(
        "Serial collects with one thread, and the JVM may use 4 CPUs (-XX:+UseParallelGC and"
            + " -XX:+UseG1GC use them)",
        lastLine(incident().cpus(4).collector("Serial")));
    assertEquals(
        "8 GC threads share 2 CPUs (-XX:ParallelGCThreads=2)",
        lastLine(incident().cpus(2).collector("G1").flag("ParallelGCThreads", "8")));
    String share = "share of time stopped = 400 ms / 60 s = 0.7 %";
    assertEquals(
        share, lastLine(incident().cpus(2).collector("G1").flag("ParallelGCThreads", "2")));
    assertEquals(share, lastLine(incident().cpus(1).collector("Serial")));
  }
}
