package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.read.gclog.GcLog.KeptPhases;
import io.gcdiag.read.gclog.GcLog.LoggedPhase;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeptPhasesTest {

  private static KeptPhases ofAtMostThree(double... millis) {
    KeptPhases kept = new KeptPhases(3);
    Arrays.stream(millis)
        .mapToObj(length -> Duration.ofNanos(Math.round(length * 1e6)))
        .map(
            length ->
                new LoggedPhase(
                    LogStamp.NONE, Duration.ofMillis(50), PausePart.REFERENCES, length, 1))
        .forEach(kept::add);
    return kept;
  }

  private static List<Double> millis(KeptPhases kept) {
    return kept.phases.stream().map(phase -> phase.duration().toNanos() / 1e6).toList();
  }

  @Test
  void upToItsBoundALogKeepsAll() {
    KeptPhases kept = ofAtMostThree(1, 9, 1.5);
    assertEquals(List.of(1.0, 9.0, 1.5), millis(kept));
    assertEquals(Optional.empty(), kept.leftOut());
  }

  /** The fourth raises the bound to 2 ms, which leaves two; 1.9 ms are below it then. */
  @Test
  void beyondItTheShorterOnesAreLeftOut() {
    KeptPhases kept = ofAtMostThree(1, 9, 1.5, 2.5, 1.9, 4);
    assertEquals(List.of(9.0, 2.5, 4.0), millis(kept));
    assertEquals(
        Optional.of(
            "of the phases inside its pauses those shorter than 2 ms are not analysed, as there are"
                + " too many"),
        kept.leftOut());
  }

  /** Of 9, 9, 9 and 20 ms bounds of 2, 4 and 8 leave all, 16 leaves one. */
  @Test
  void theBoundIsRaisedUntilTheyFit() {
    assertEquals(List.of(20.0), millis(ofAtMostThree(9, 9, 9, 20)));
  }
}
