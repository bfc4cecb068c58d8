package io.gcdiag.rules;

import static io.gcdiag.rules.Findings.*;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static io.gcdiag.rules.PauseSketch.full;
import static io.gcdiag.rules.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        "2 full collections (600 ms in all, longest 300 ms) and 1 collection that found no room to"
            + " copy to in the window",
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

  @Test
  void aHeapThatStaysFullAfterFullCollectionsWillHurtWhetherItIsSeenToOrNot() {
    // 461 of 512 MiB = 90.0 %, and 456 of 512 MiB = 89.1 %.
    Finding finding =
        only(
            rule,
            incident()
                .pause(full(70, 370).heap(510, 456, 512))
                .pause(full(80, 390).heap(510, 461, 512)));
    assertEquals(
        "2 full collections (760 ms in all, longest 390 ms) in the window; after each full one"
            + " 89.1 % or more of the largest heap is in use",
        finding.statement());
    assertTrue(warns(finding));
  }

  @Test
  void oneThatFreesASixthIsNotFull() {
    // 427 of 512 MiB = 83.4 %.
    Finding finding =
        only(
            rule,
            incident()
                .pause(full(70, 370).heap(510, 456, 512))
                .pause(full(80, 390).heap(510, 427, 512)));
    assertFalse(warns(finding));
  }

  @Test
  void aHeapThatMayStillGrowIsNotFull() {
    Finding finding =
        only(
            rule,
            incident()
                .maxHeap(1024)
                .pause(full(70, 370).heap(510, 456, 512))
                .pause(full(80, 390).heap(510, 461, 512)));
    assertFalse(warns(finding));
  }

  private static boolean warns(Finding finding) {
    return finding.bearings().contains(new Bearing.Supports(Hypothesis.MEMORY_PRESSURE, true));
  }
}
