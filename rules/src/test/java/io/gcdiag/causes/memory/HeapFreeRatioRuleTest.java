package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.MemoryPressureCause.HeapFreeRatioRule;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.units.Bytes;
import org.junit.jupiter.api.Test;

class HeapFreeRatioRuleTest {

  private final Rule rule = new HeapFreeRatioRule();

  @Test
  void lessFreeThanTheJvmWantsSpeaksForPressure() {
    // (256 - 202) / 256 = 54 / 256 = 21.1 %, below HotSpot's default of 40 %.
    Finding finding =
        only(
            rule,
            incident().heapAfterCollection(70, Bytes.ofMebi(202), Bytes.ofMebi(256)).maxHeap(512));
    assertEquals(
        "21.1 % of the committed heap is free after GC, below MinHeapFreeRatio 40 % " + "(default)",
        finding.statement());
    assertEquals(
        "free ratio = (256 MiB - 202 MiB) / 256 MiB = 21.1 %, below MinHeapFreeRatio 40 %"
            + " (default)",
        finding.arithmetic().get(0));
    assertEquals(0.2109, value(finding, "freeRatio"), 0.0001);
    // (512 - 202) / 512 = 60.5 %.
    assertEquals(0.6055, value(finding, "freeOfMaxHeap"), 0.0001);
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void aHeapThatTheJvmExpandedIsJudgedByWhatWasFreeBefore() {
    // 202 of 256 MiB were used, 21.1 % free; of 339 MiB it is 40.4 %, which the expansion made.
    IncidentBuilder incident = incident().maxHeap(512);
    for (int i = 0; i < 5; i++) {
      incident.pause(PauseSketch.young(62 + 2 * i, 4.4).heap(250, 202, 256));
    }
    for (int i = 0; i < 20; i++) {
      incident.pause(PauseSketch.young(72 + 2 * i, 30).heap(308, 202, 339));
    }
    Finding finding =
        only(rule, incident.heapAfterCollection(90, Bytes.ofMebi(202), Bytes.ofMebi(339)));
    assertTrue(
        finding
            .statement()
            .startsWith("21.1 % of the heap was free when the JVM expanded it from 256 MiB to"),
        finding::statement);
    assertTrue(
        finding
            .arithmetic()
            .contains("free ratio before the expansion = (256 MiB - 202 MiB) / 256 MiB = 21.1 %"),
        () -> finding.arithmetic().toString());
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void mostOfAWindowMayLieBeforeTheShortage() {
    // 115 of 256 MiB used for most of the window, 202 when it was expanded near its end.
    IncidentBuilder incident = incident().maxHeap(512);
    for (int i = 0; i < 20; i++) {
      incident.pause(PauseSketch.young(61 + 2 * i, 4.4).heap(233, 115, 256));
    }
    incident.pause(PauseSketch.young(104, 62).heap(250, 202, 256));
    incident.pause(PauseSketch.young(106, 4.4).heap(252, 202, 339));
    Finding finding =
        only(rule, incident.heapAfterCollection(70, Bytes.ofMebi(115), Bytes.ofMebi(256)));
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE), finding::statement);
  }

  @Test
  void aHeapThatWasExpandedWithEnoughFreeIsJudgedByWhatIsFree() {
    // 130 of 256 MiB used before, 49.2 % free: more than the 40 % that the JVM wants.
    IncidentBuilder incident = incident().maxHeap(512);
    for (int i = 0; i < 5; i++) {
      incident.pause(PauseSketch.young(62 + 2 * i, 4.4).heap(250, 130, 256));
    }
    incident.pause(PauseSketch.young(80, 4.4).heap(250, 130, 339));
    Finding finding =
        only(rule, incident.heapAfterCollection(90, Bytes.ofMebi(130), Bytes.ofMebi(339)));
    assertTrue(refutes(finding, Hypothesis.MEMORY_PRESSURE), finding::statement);
  }

  @Test
  void littleFreeOfAHeapThatKeepsGrowingUnderAHighCeilingSpeaksAgainst() {
    // (300 - 210) / 300 = 30 % free, and (2048 - 210) / 2048 = 89.7 % of the ceiling.
    IncidentBuilder incident = incident().maxHeap(2048);
    for (int i = 0; i < 5; i++) {
      incident.pause(PauseSketch.young(60 + 3 * i, 50).heap(250, 210, 296 + 2 * i));
    }
    Finding finding =
        only(rule, incident.heapAfterCollection(70, Bytes.ofMebi(210), Bytes.ofMebi(300)));
    assertEquals(
        "30.0 % of the committed heap is free after GC, below MinHeapFreeRatio 40 % "
            + "(default), and 89.7 % of the maximum heap",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void aHeapThatRanFullIsNotRuledOutByWhatFullGcsFreed() {
    // 49 of 232 MiB live after the full GC: 78.9 % free. 208 MiB were in use when it began.
    IncidentBuilder incident = incident().maxHeap(240);
    incident.pause(PauseSketch.young(70, 300).heap(155, 144, 232));
    incident.pause(PauseSketch.full(72, 186).heap(208, 49, 232));
    Finding finding =
        only(rule, incident.heapAfterCollection(72, Bytes.ofMebi(49), Bytes.ofMebi(232)));
    assertTrue(weakens(finding, Hypothesis.MEMORY_PRESSURE));
    assertFalse(finding.brief().contains("does not fill up"), finding::brief);
  }

  @Test
  void muchFreeSpeaksAgainstPressure() {
    // 361,653 of 4,019,584 KiB in use: 91.0 % free.
    Finding finding =
        only(
            rule,
            incident().heapAfterCollection(70, Bytes.ofKibi(361_653), Bytes.ofKibi(4_019_584)));
    assertEquals(
        "91.0 % of the committed heap is free after GC, above MinHeapFreeRatio 40 % " + "(default)",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void theFlagInForceIsTheMeasureAndASource() {
    // 50 % free is enough by default, and too little where 70 % is asked for.
    Finding finding =
        only(
            rule,
            incident()
                .heapAfterCollection(70, Bytes.ofMebi(128), Bytes.ofMebi(256))
                .flag("MinHeapFreeRatio", "70"));
    assertTrue(finding.statement().endsWith("below MinHeapFreeRatio 70 %"), finding::statement);
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE));
    assertEquals(2, finding.sources().size());
  }

  @Test
  void theBaselineBeforeIsStatedBesideIt() {
    // (256 - 64) / 256 = 75 %.
    Finding finding =
        only(
            rule,
            incident()
                .heapAfterCollection(30, Bytes.ofMebi(64), Bytes.ofMebi(256))
                .heapAfterCollection(70, Bytes.ofMebi(202), Bytes.ofMebi(256)));
    assertTrue(finding.statement().endsWith("(before: 75.0 %)"), finding::statement);
  }

  @Test
  void withoutACollectionInTheIncidentThereIsNothingToSay() {
    assertSilent(rule, incident().heapAfterCollection(30, Bytes.ofMebi(202), Bytes.ofMebi(256)));
  }
}
