package io.gcdiag.rules;

import static io.gcdiag.rules.Findings.*;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static io.gcdiag.rules.PauseSketch.full;
import static io.gcdiag.rules.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LiveSetGrowthRuleTest {

  private final Rule rule = new LiveSetGrowthRule();

  @Test
  void aLiveSetThatKeepsGrowingSpeaksForALeak() {
    // 200 MiB at 90 s and 2 MiB/s from there: 260 MiB at 120 s; (512 - 260) / 2 = 126 s to full.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 90; second < 120; second += 5) {
      builder.pause(full(second, 50).heap(400, 200 + 2 * (second - 90), 512));
    }
    Finding finding = only(rule, builder);
    assertEquals(
        "the live set still grows: from 200 MiB to 260 MiB over the last 30 s,"
            + " full in about 2 min 6 s",
        finding.statement());
    assertEquals(2 * 1024 * 1024, value(finding, "slopeBytesPerSecond"), 1);
    assertTrue(supports(finding, Hypothesis.MEMORY_LEAK));
    assertFalse(warns(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aHeapThatIsFullSoonIsWorthAWarning() {
    // 5 MiB/s from 300 MiB: 450 MiB at 120 s, (512 - 450) / 5 = 12 s to full, less than the two
    // times 30 s it was watched.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 90; second < 120; second += 5) {
      builder.pause(full(second, 50).heap(500, 300 + 5 * (second - 90), 512));
    }
    Finding finding = only(rule, builder);
    assertTrue(finding.statement().endsWith("full in about 12 s"), finding::statement);
    assertTrue(warns(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aCacheThatFillsToItsBoundIsNoLeak() {
    // Rises by 5 MiB/s for half a minute, then stays at 350 MiB.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 120; second += 3) {
      builder.pause(full(second, 50).heap(400, Math.min(350, 200 + 5 * (second - 60)), 512));
    }
    Finding finding = only(rule, builder);
    assertEquals(
        "the live set does not keep growing: from 350 MiB to 350 MiB over the last 30 s",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aSmallButCertainRiseIsNotCalledLevel() {
    // 0.5 MiB/s without any scatter: 15 MiB in half a minute, below 5 % of 512 MiB = 25.6 MiB.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 90; second < 120; second += 5) {
      builder.pause(full(second, 50).heap(400, 200 + 0.5 * (second - 90), 512));
    }
    Finding finding = only(rule, builder);
    assertEquals(
        "the live set grows too little to matter here: from 200 MiB to 215 MiB over the last 30 s",
        finding.statement());
  }

  @Test
  void growthBetweenYoungCollectionsMayBeOldGarbage() {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 90; second < 120; second++) {
      builder.pause(young(second, 5).heap(400, 200 + 2 * (second - 90), 512));
    }
    Finding finding = only(rule, builder);
    assertTrue(
        finding.statement().startsWith("the heap after young collections grows"),
        finding::statement);
    assertTrue(weakens(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void fourCollectionsMakeNoTrend() {
    IncidentBuilder builder = incident();
    for (int second = 90; second < 118; second += 7) {
      builder.pause(full(second, 50).heap(400, 2 * second, 512));
    }
    assertSilent(rule, builder);
  }
}
