package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.diagnosis.Confidence;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.fixtures.Incidents;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recorded incidents whose suspect is right, and whose share another figure contradicts. */
@Tag("slow")
@Tag("incidents")
class ContradictedSharesTest {

  private static Judgement first(String incident) {
    return IncidentDiagnoses.of(Incidents.folder(incident)).judgements().get(0);
  }

  /** P99 4.02 s, and likely at least 2.46 s with twice the connections: 1.56 of 4.02 s go. */
  @Test
  void aShareIsHeldAgainstWhatTheRemovalOfItsCauseIsPredictedToBring() {
    Judgement pool = first("relay-pool-of-two");
    assertEquals(Optional.of(Confidence.MEDIUM), pool.confidence());
    assertTrue(
        pool.doubts()
            .contains(
                "it explains 100.0 %, and its removal is predicted to bring 38.7 % of the P99"),
        pool.doubts());
  }

  /** The report's own bound on what pauses can do to the 99th percentile: 63.8 %. */
  @Test
  void aShareOfPausesIsHeldAgainstWhatPausesAloneBringAbout() {
    Judgement pressure = first("mill-histograms");
    assertEquals(Optional.of(Confidence.MEDIUM), pressure.confidence());
    assertTrue(
        pressure.doubts().contains("and pauses alone at most 63.8 % of the P99 above normal"),
        pressure.doubts());
  }
}
