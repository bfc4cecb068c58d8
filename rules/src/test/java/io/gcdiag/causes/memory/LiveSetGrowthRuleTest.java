package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveSetGrowthRuleTest {

  private final Rule rule = new LiveSetGrowthRule();

  private static PauseSketch fullUntil(double second, double leaves) {
    return full(second - 0.05, 50).heap(512, leaves, 512);
  }

  @Test
  void aLiveSetThatKeepsGrowingSpeaksForALeak() {
    // 1 MiB/s from 200 MiB at 60 s: 260 MiB at 120 s; (512 - 260) / 1 = 252 s to full, more than
    // two times the 60 s it was watched.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 65; second < 120; second += 5) {
      builder.pause(fullUntil(second, 200 + (second - 60)));
    }
    Finding finding = only(rule, builder);
    assertEquals(
        "the live set grows steadily: from 200 MiB to 260 MiB over 60 s; at this "
            + "rate the heap is full in about 4 min 12 s",
        finding.statement());
    assertEquals(1024 * 1024, value(finding, "slopeBytesPerSecond"), 1);
    assertEquals(252, value(finding, "secondsUntilFull"), 1);
    assertTrue(supports(finding, Hypothesis.MEMORY_LEAK));
    assertFalse(warns(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aHeapThatIsFullSoonIsWorthAWarningOnceItsCollectionsAreFelt() {
    // 4 MiB/s from 200 MiB: 440 MiB at 120 s, (512 - 440) / 4 = 18 s to full. Eleven collections of
    // 400 ms are 7 % of the minute, of 20 ms 0.4 %.
    for (int millis : List.of(400, 20)) {
      IncidentBuilder builder = incident().maxHeap(512);
      for (int second = 65; second < 120; second += 5) {
        double live = 200 + 4 * (second - 60);
        builder.pause(full(second, millis).heap(live + 100, live, 512));
      }
      Finding finding = only(rule, builder);
      assertTrue(finding.statement().endsWith("full in about 18 s"), finding::statement);
      assertEquals(millis == 400, warns(finding, Hypothesis.MEMORY_LEAK));
    }
  }

  @Test
  void aCacheThatFillsToItsBoundIsNoLeak() {
    // 10 MiB/s up to 400 MiB at 80 s, then level.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 62; second < 120; second += 3) {
      builder.pause(fullUntil(second, Math.min(400, 200 + 10 * (second - 60))));
    }
    Finding finding = only(rule, builder);
    assertTrue(
        finding.statement().startsWith("the live set grew and levelled off"), finding::statement);
    assertTrue(refutes(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aLiveSetThatFilledBeforeTheIncidentAndFallsInItFell() {
    // 100 MiB up to 400 MiB in the baseline; then 1 MiB/s less, and as much from 110 s on: 400 MiB
    // at 60 s, 350 MiB at the end.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 2; second < 120; second += 2) {
      double filled = Math.min(400, 100 + 10 * second);
      builder.pause(fullUntil(second, filled - Math.max(0, Math.min(110, second) - 60)));
    }
    Finding finding = only(rule, builder);
    assertTrue(finding.statement().startsWith("the live set fell: from "), finding::statement);
    assertTrue(refutes(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aStepIsNeitherSteadyGrowthNorNone() {
    // 100 MiB, and 180 MiB from the last quarter on: the line climbs, most pairs of points do not.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 61; second < 120; second += 2) {
      builder.pause(fullUntil(second, second < 105 ? 100 : 180));
    }
    Finding finding = only(rule, builder);
    assertTrue(
        finding.statement().startsWith("the live set rises in steps, not steadily"),
        finding::statement);
    assertFalse(refutes(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void noGrowthIsSaidInNumbers() {
    // 100 and 101 MiB by turns, with plenty of room.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 61; second < 120; second += 2) {
      builder.pause(fullUntil(second, second % 4 == 1 ? 100 : 101));
    }
    Finding finding = only(rule, builder);
    assertTrue(
        finding.statement().startsWith("no significant growth of the live set: from 10"),
        finding::statement);
    assertTrue(finding.statement().contains(" ± "), finding::statement);
    assertTrue(finding.statement().endsWith(" per minute"), finding::statement);
    assertTrue(refutes(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aHeapThatWasFullAllAlongLeavesTheQuestionOpen() {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 1; second < 120; second += 3) {
      builder.pause(fullUntil(second, 450));
    }
    Finding finding = only(rule, builder);
    assertTrue(finding.statement().endsWith("cannot be excluded"), finding::statement);
    assertTrue(weakens(finding, Hypothesis.MEMORY_LEAK));
    assertFalse(refutes(finding, Hypothesis.MEMORY_LEAK));
  }

  /** Full at 120 s: rises from the given size at 1 s to 500 MiB at 60 s, then is level. */
  private static IncidentBuilder filledFrom(double first) {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 1; second < 120; second++) {
      double left = Math.min(500, first + (500 - first) * (second - 1) / 59);
      builder.pause(full(second - 0.05, 50).heap(501, left, 512));
    }
    return builder;
  }

  @Test
  void aHeapThatWasFullThroughoutTheIncidentFilledBeforeIt() {
    Finding finding = only(rule, filledFrom(100));
    assertTrue(
        finding
            .statement()
            .startsWith("the live set grew steadily until the heap was full: from 10"),
        finding::statement);
    assertTrue(finding.statement().contains(" to 500 MiB over "), finding::statement);
    assertTrue(warns(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aDriftOfOnePerCentBeforeFillsNoHeap() {
    // 495 to 500 MiB of 512: as full before, and nothing shows what filled it.
    Finding finding = only(rule, filledFrom(495));
    assertFalse(finding.statement().contains("until the heap was full"), finding::statement);
    assertFalse(warns(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void collectionsOfAStartThatHaveNextToNothingToFreeFillNoHeap() {
    // A start loads classes: three full GCs leave 12 of 12 MiB of 512, then objects age.
    IncidentBuilder builder = incident().withoutBaseline().maxHeap(512);
    for (int second = 61; second < 64; second++) {
      builder.pause(full(second, 40).heap(12, 12, 512));
    }
    for (int second = 64; second < 120; second++) {
      builder.pause(young(second, 5).heap(400, 12 + 3 * (second - 63), 512));
    }
    Finding finding = only(rule, builder);
    assertFalse(finding.statement().contains("until the heap was full"), finding::statement);
    assertFalse(warns(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void growthBetweenYoungCollectionsMayBeOldGarbage() {
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 120; second++) {
      builder.pause(young(second, 5).heap(400, 200 + 2 * (second - 60), 512));
    }
    Finding finding = only(rule, builder);
    assertTrue(
        finding.statement().startsWith("the heap after young GCs grows"), finding::statement);
    assertTrue(weakens(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void twoCollectionsMakeNoTrend() {
    IncidentBuilder builder = incident();
    builder.pause(fullUntil(90, 200)).pause(fullUntil(100, 400));
    assertSilent(rule, builder);
  }

  @Test
  void aHeapThatFillsFromCollectionToCollectionSpeaksForALeak() {
    // 100 MiB allocated before each of the last two, of which 50 and 60 MiB stay: 110 of 200.
    IncidentBuilder builder =
        incident()
            .maxHeap(320)
            .pause(young(65, 20).heap(100, 20, 320))
            .pause(young(80, 20).heap(120, 70, 320))
            .pause(young(95, 20).heap(170, 130, 320));
    Finding finding = only(rule, builder);
    assertEquals(
        "55.0 % of the allocated bytes stay in the heap: from 20 MiB to 130 MiB over "
            + "3 young GCs, each of which left more than the one before; only a full GC "
            + "will show whether they are live",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.MEMORY_LEAK));
    assertFalse(warns(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void whatRisesAndWillFillTheHeapSoonIsToldOfThoughItMayBeGarbage() {
    // 2 MiB/s, 320 MiB at the end of 60 s: the 192 MiB up to 512 take 96 s, less than twice 60 s.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 120; second++) {
      builder.pause(young(second, 5).heap(400, 200 + 2 * (second - 60), 512));
    }
    Finding finding = only(rule, builder);
    assertEquals(96, value(finding, LiveSetGrowthRule.FULL_IF_ALIVE), 1);
    assertTrue(
        finding.statement().contains("; if it is live, the heap is full in about 96 s"),
        finding::statement);
    assertTrue(weakens(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void aHeapThatKeepsAsMuchFreeAsItShouldIsNotSaidToFill() {
    // 2 MiB/s, 250 MiB at the end: 51 % of 512 are free, above MinHeapFreeRatio 40 %.
    IncidentBuilder builder = incident().maxHeap(512);
    for (int second = 60; second < 120; second++) {
      builder.pause(young(second, 5).heap(400, 130 + 2 * (second - 60), 512));
    }
    Finding finding = only(rule, builder);
    assertFalse(finding.values().containsKey(LiveSetGrowthRule.FULL_IF_ALIVE));
    assertEquals(-1, finding.statement().indexOf("is full"), finding::statement);
  }

  @Test
  void whatFewCollectionsPromoteIsNoLeak() {
    // 10 of each 100 MiB stay.
    assertSilent(
        rule,
        incident()
            .maxHeap(60)
            .pause(young(65, 20).heap(100, 20, 320))
            .pause(young(80, 20).heap(120, 30, 320))
            .pause(young(95, 20).heap(130, 40, 320)));
  }
}
