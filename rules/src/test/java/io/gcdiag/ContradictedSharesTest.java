package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Judgement;
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

  /** The report's own bound on what pauses can do to the 99th percentile: 63.8 %. */
  @Test
  void aShareOfPausesIsHeldAgainstWhatPausesAloneBringAbout() {
    Judgement pressure = first("mill-histograms");
    assertEquals(Optional.of(Confidence.MEDIUM), pressure.rating().confidence());
    assertTrue(
        pressure
            .rating()
            .doubts()
            .contains("while pauses alone explain at most 63.8 % of the P99 above normal"),
        pressure.rating().doubts());
    // Of all that may have been lost, recorded or not, it is less still.
    assertTrue(pressure.share().interval().orElseThrow().low() < 0.638);
  }
}
