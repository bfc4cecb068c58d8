package io.gcdiag.rules;

import static io.gcdiag.rules.Findings.*;
import static io.gcdiag.rules.IncidentBuilder.incident;
import static io.gcdiag.rules.PauseSketch.full;
import static io.gcdiag.rules.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
}
