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
import io.gcdiag.causes.memory.MemoryPressureCause.CollectionFailureRule;
import io.gcdiag.causes.memory.MemoryPressureCause.HeapFreeRatioRule;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
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

  private static final String FULL = "the heap was full at ";

  private boolean warnsOfFullHeap(IncidentBuilder incident) {
    return rule.examine(incident.build()).stream()
        .anyMatch(
            found ->
                found.statement().startsWith(FULL) && warns(found, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void aHeapThatStaysFullAfterFullCollectionsWillHurtWhetherItIsSeenToOrNot() {
    // 461 of 512 MiB = 90.0 %, and 456 of 512 MiB = 89.1 %.
    List<Finding> findings = rule.examine(filling(461).maxHeap(512).build());
    assertEquals(
        List.of(
            "2 full GCs (760 ms in total, longest 390 ms) in the window",
            FULL + "10:01:20 UTC: full GCs one after the other left 90.0 % of it in use"),
        findings.stream().map(Finding::statement).toList());
    assertFalse(warns(findings.get(0), Hypothesis.MEMORY_PRESSURE));
    assertTrue(warns(findings.get(1), Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void whereTheLargestSizeIsNotKnownTheHeapHasGrownAsFarAsItMay() {
    assertTrue(warnsOfFullHeap(filling(461)));
  }

  @Test
  void oneThatFreesASixthIsNotFull() {
    // 427 of 512 MiB = 83.4 %.
    assertFalse(warnsOfFullHeap(filling(427)));
  }

  @Test
  void aHeapThatMayStillGrowIsNotFull() {
    assertFalse(warnsOfFullHeap(filling(461).maxHeap(1024)));
  }

  /**
   * The end of a program that got no memory, as Parallel's log has it: the second full GC begins
   * where the first ends, which is done only where the first left no room. The thread is gone, and
   * the last one, at the JVM's end, frees all. 263 of 284 MiB = 92.6 %.
   */
  private static IncidentBuilder outOfMemory(double second) {
    return incident()
        .maxHeap(320)
        .pauses(10, 60, 70, young(0, 2).heap(142, 107, 284))
        .pause(full(second, 136).cause("Ergonomics").heap(282, 263, 284))
        .pause(full(second + 0.136, 149).cause("Allocation Failure").heap(263, 263, 284))
        .pause(full(second + 0.3, 13).cause("Ergonomics").heap(264, 2, 284));
  }

  @Test
  void theSecondOfOneOperationThatFreesNothingIsTheLastBeforeAnOutOfMemoryError() {
    assertTrue(warnsOfFullHeap(outOfMemory(110)));
    // A pause between them: what was allocated then had room.
    assertFalse(
        warnsOfFullHeap(
            incident()
                .maxHeap(320)
                .pause(full(110, 136).heap(282, 225, 284))
                .pause(full(115, 149).heap(225, 225, 284))));
  }

  @Test
  void fullCollectionsThatAHumongousObjectForcesLeaveAHeapWithRoom() {
    // At one safepoint with the collection that the object asked for: 180 of 300 MiB stay in use.
    IncidentBuilder incident =
        incident()
            .maxHeap(300)
            .pause(young(110, 5).cause("G1 Humongous Allocation").heap(181, 181, 300))
            .pause(full(110.005, 90).cause("G1 Compaction Pause").heap(181, 180, 300))
            .pause(full(110.095, 90).cause("G1 Compaction Pause").heap(180, 180, 300));
    assertFalse(warnsOfFullHeap(incident));
  }

  @Test
  void aHeapThatWasFullOutsideAWindowThatWasFoundCountsAsMuch() {
    assertTrue(warnsOfFullHeap(outOfMemory(50).found()));
    Finding given = only(rule, outOfMemory(50));
    assertEquals(
        FULL
            + "10:00:50 UTC, outside the window: full GCs one after the other left 92.6 % of it"
            + " in use",
        given.statement());
    assertTrue(supports(given, Hypothesis.MEMORY_PRESSURE));
    assertFalse(warns(given, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void aHeapThatWasFullAtAnyTimeIsNotRuledOutByWhatIsFreeInTheWindow() {
    // (284 - 107) / 284 MiB = 62.3 % free, above the 40 % that are wanted.
    Rule free = new HeapFreeRatioRule();
    Finding quiet =
        only(free, incident().maxHeap(320).pauses(10, 60, 70, young(0, 2).heap(142, 107, 284)));
    assertTrue(refutes(quiet, Hypothesis.MEMORY_PRESSURE));
    Finding ended = only(free, outOfMemory(50));
    assertFalse(refutes(ended, Hypothesis.MEMORY_PRESSURE));
    assertTrue(weakens(ended, Hypothesis.MEMORY_PRESSURE));
  }
}
