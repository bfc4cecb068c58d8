package io.gcdiag.accounts.collections;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.sketches.IncidentBuilder;
import org.junit.jupiter.api.Test;

class CollectionFailureRuleTest {

  private final Rule rule = new CollectionFailureRule();

  @Test
  void fullCollectionsAndFailedCopiesSpeakForPressure() {
    // 2 x 300 ms = 600 ms.
    Finding finding =
        only(
            rule,
            incident()
                .pause(full(70, 300))
                .pause(full(80, 300))
                .pause(young(69, 20).foundNoRoom()));
    assertEquals(
        "2 full GCs (600 ms in total, longest" + " 300 ms) and 1 evacuation failure in the window",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void aFullCollectionThatSomebodyAskedForIsNoSign() {
    assertSilent(rule, incident().pause(full(70, 300).cause("System.gc()")));
  }

  @Test
  void youngCollectionsThatFindRoomAreNoSign() {
    assertSilent(rule, incident().pauses(10, 60, 120, young(0, 300)));
  }

  @Test
  void whatHappenedBeforeTheIncidentDoesNotCount() {
    assertSilent(rule, incident().pause(full(30, 300)));
  }

  /** Two full GCs of a heap of 512 MiB, the second of which leaves so many MiB. */
  private static IncidentBuilder filling(double leaves) {
    return incident()
        .pause(full(70, 370).heap(510, 456, 512))
        .pause(full(80, 390).heap(510, leaves, 512));
  }

  @Test
  void aHeapThatStaysFullAfterFullCollectionsWillHurtWhetherItIsSeenToOrNot() {
    // 461 of 512 MiB = 90.0 %, and 456 of 512 MiB = 89.1 %.
    Finding finding = only(rule, filling(461).maxHeap(512));
    assertEquals(
        "2 full GCs (760 ms in total, longest 390 ms) in the window; after each full "
            + "GC at least 89.1 % of the maximum heap is in use",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void whereTheLargestSizeIsNotKnownTheHeapHasGrownAsFarAsItMay() {
    Finding finding = only(rule, filling(461));
    assertTrue(
        finding.statement().endsWith("at least 89.1 % of the heap is in use"), finding::statement);
    assertTrue(warns(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void oneThatFreesASixthIsNotFull() {
    // 427 of 512 MiB = 83.4 %.
    assertFalse(warns(only(rule, filling(427)), Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void aHeapThatMayStillGrowIsNotFull() {
    assertFalse(warns(only(rule, filling(461).maxHeap(1024)), Hypothesis.MEMORY_PRESSURE));
  }
}
