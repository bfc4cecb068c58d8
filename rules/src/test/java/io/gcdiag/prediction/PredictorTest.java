package io.gcdiag.prediction;

import static io.gcdiag.prediction.PredictionSketch.alone;
import static io.gcdiag.prediction.PredictionSketch.only;
import static io.gcdiag.prediction.PredictionSketch.predictor;
import static io.gcdiag.prediction.PredictionSketch.steadyHeap;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.causes.Hypothesis;
import io.gcdiag.prediction.Prediction.Quantity;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PredictorTest {

  @Test
  void moreConnectionsWaitAsErlangSays() {
    IncidentBuilder pool = incident().rate(200).hold(30).poolSize(4);
    List<Prediction> predictions =
        predictor(pool).servers(Hypothesis.CONNECTION_POOL_UNDERSIZED, 8);
    // 200/s x 30 ms = 6 of 8; spread like an exponential at the most.
    double expected =
        ErlangC.of(200, Duration.ofMillis(30), 8).waitQuantile(0.99).orElseThrow().toNanos();
    Prediction wait = only(predictions, Quantity.WAIT_P99);
    assertEquals(expected, wait.range().orElseThrow().high(), 0.2 * expected);
    assertTrue(wait.range().orElseThrow().low() < 0.8 * expected, wait::toString);
    assertEquals("4 to 8 connections", wait.change());
  }

  @Test
  void tooFewConnectionsAreNotPredictedButRefused() {
    Prediction wait =
        only(
            predictor(incident().rate(200).hold(30).poolSize(4))
                .servers(Hypothesis.CONNECTION_POOL_UNDERSIZED, 5),
            Quantity.WAIT_P99);
    assertTrue(wait.range().isEmpty());
    assertEquals("the queue would still grow: 6 are needed on average", wait.basis());
  }

  @Test
  void theNumberProposedIsTheSmallestThatSeldomMakesWait() {
    List<Prediction> predictions =
        predictor(incident().rate(200).hold(30).poolSize(4))
            .suspects(alone(Hypothesis.CONNECTION_POOL_UNDERSIZED));
    // M/M/c with a load of 6: one in a hundred waits longer than 30 ms at 8, and no more at 9: it
    // lies so close that a simulated stream may want 10.
    String change = only(predictions, Quantity.WAIT_P99).change();
    assertTrue(change.matches("4 to (9|10) connections"), change);
  }

  @Test
  void noSuspectNoPrediction() {
    assertEquals(List.of(), predictor(steadyHeap()).suspects(List.of()));
  }
}
