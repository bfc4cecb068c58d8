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
import io.gcdiag.causes.memory.HeapResizingCause.HeapResizeRule;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import org.junit.jupiter.api.Test;

class HeapResizeRuleTest {

  private final Rule rule = new HeapResizeRule();

  /** Twenty pauses of 5 ms before, nineteen during, and one in which the heap grows. */
  private static IncidentBuilder growing(double millisOfTheResize) {
    return incident()
        .pauses(20, 0, 60, young(0, 5).heap(256, 202, 256))
        .pauses(9, 60, 87, young(0, 5).heap(256, 202, 256))
        .pause(young(88, millisOfTheResize).heap(256, 202, 339))
        .pauses(10, 90, 120, young(0, 5).heap(256, 202, 339));
  }

  @Test
  void aResizeThatTookLongerThanItsKindExplainsWhatItTookLonger() {
    // Before 20 x 5 ms = 100 ms; during 19 x 5 + 105 = 200 ms. The resize took 105 - 5 = 100 ms
    // longer than the others: all of the growth.
    Finding finding = only(rule, growing(105));
    assertEquals(
        "the committed heap changed size in 1 of 20 pauses (256 MiB to 339 MiB); a "
            + "heap of the largest of these sizes from the start avoids 100.0 % of the "
            + "growth in pause time",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.HEAP_RESIZING, Effect.STOPPED), 1e-9);
    assertFalse(weakens(finding, Hypothesis.HEAP_RESIZING));
  }

  @Test
  void aResizeNoLongerThanItsKindSpeaksAgainst() {
    Finding finding = only(rule, growing(5));
    assertEquals(0, explains(finding, Hypothesis.HEAP_RESIZING, Effect.STOPPED));
    assertTrue(weakens(finding, Hypothesis.HEAP_RESIZING));
  }

  @Test
  void fullCollectionsOnTheWayUpAreWorthAWarning() {
    // Three of 300 ms, 1.5 % of the minute, although what lives fits under the ceiling: the slowest
    // hundredth of the requests meet one.
    IncidentBuilder builder = incident().maxHeap(2048).pause(young(1, 5).heap(100, 80, 128));
    for (int i = 0; i < 3; i++) {
      builder.pause(full(70 + 10 * i, 300).heap(250 + 50 * i, 200 + 40 * i, 256 + 60 * i));
    }
    assertTrue(warns(only(rule, builder), Hypothesis.HEAP_RESIZING));
  }

  @Test
  void aJvmThatStartsIsAllowedToGrow() {
    // The same in the first half minute: the first pause is at 65 s.
    IncidentBuilder builder = incident().maxHeap(2048).pause(young(65, 5).heap(100, 80, 128));
    for (int i = 0; i < 3; i++) {
      builder.pause(full(70 + 8 * i, 300).heap(250 + 50 * i, 200 + 40 * i, 256 + 60 * i));
    }
    assertFalse(warns(only(rule, builder), Hypothesis.HEAP_RESIZING));
  }

  @Test
  void aHeapOfOneSizeRulesItOut() {
    Finding finding = only(rule, incident().pauses(10, 60, 120, young(0, 5).heap(256, 202, 256)));
    assertEquals("the committed heap stayed at 256 MiB in all 10 GCs", finding.statement());
    assertTrue(refutes(finding, Hypothesis.HEAP_RESIZING));
  }

  @Test
  void survivorsOfAHeapThatKeepsItsSizeAreNoResizing() {
    // What Parallel calls the heap's capacity leaves out a survivor space, which changes its size.
    IncidentBuilder incident =
        incident()
            .heapSizes(1024, 1024)
            .flag("MinHeapSize", "1073741824")
            .pauses(10, 60, 90, young(0, 5).heap(900, 400, 955))
            .pauses(10, 90, 120, young(0, 50).heap(900, 400, 1008));
    Finding finding = only(rule, incident);
    assertEquals(
        "the heap kept its size (955 MiB to 1,008 MiB without a survivor space) in "
            + "all 20 GCs; -Xms equals -Xmx",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.HEAP_RESIZING));
  }

  @Test
  void aHeapThatGaveMemoryBackHasNoFixedSize() {
    PauseSketch half = young(0, 5).heap(256, 202, 256);
    PauseSketch whole = young(0, 5).heap(490, 202, 490);
    assertFalse(
        only(rule, incident().heapSizes(512, 512).pauses(10, 60, 120, half))
            .statement()
            .contains("-Xms"));
    // Without one of two survivors of 22 MiB.
    assertTrue(
        only(rule, incident().heapSizes(512, 512).pauses(10, 60, 120, whole))
            .statement()
            .endsWith("; -Xms equals -Xmx"));
  }

  @Test
  void withoutTheHeapsSizeThereIsNothingToSay() {
    assertSilent(rule, incident().pauses(10, 60, 120, young(0, 5)));
  }
}
