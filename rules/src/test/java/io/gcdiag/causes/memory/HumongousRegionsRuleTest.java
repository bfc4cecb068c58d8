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
import io.gcdiag.causes.memory.HumongousAllocationCause.HumongousRegionsRule;
import io.gcdiag.evidence.jvm.GcSample.HumongousRegions;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import org.junit.jupiter.api.Test;

class HumongousRegionsRuleTest {

  private final Rule rule = new HumongousRegionsRule();

  /** Regions of 1 MiB in a heap of 256 MiB. */
  private static IncidentBuilder met(int second, int before, int after) {
    return incident()
        .maxHeap(256)
        .flag("G1HeapRegionSize", "1048576")
        .sample(new HumongousRegions(at(second), before, after, Source.line("gc.log", 7)));
  }

  @Test
  void aTenthOfTheHeapSpeaksForItWhereSuchObjectsForceCollections() {
    // 64 of 256 regions.
    IncidentBuilder incident = met(70, 64, 60).pause(young(70, 5).cause("G1 Humongous Allocation"));
    Finding finding = only(rule, incident);
    assertEquals(
        "humongous objects hold up to 64 regions before a GC, 25.0 % of the heap",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.HUMONGOUS_ALLOCATION));
  }

  @Test
  void muchThatForcesNothingIsTold() {
    assertFalse(supports(only(rule, met(70, 64, 60)), Hypothesis.HUMONGOUS_ALLOCATION));
  }

  @Test
  void lessThanAHundredthOfTheHeapSpeaksAgainstIt() {
    // 2 of 256 regions are 0.8 %.
    assertTrue(weakens(only(rule, met(70, 2, 2)), Hypothesis.HUMONGOUS_ALLOCATION));
  }

  @Test
  void whatWasThereBeforeTheIncidentDoesNotCount() {
    assertSilent(rule, met(20, 64, 60));
  }
}
