package io.gcdiag.diagnosis;

import static io.gcdiag.diagnosis.RankingTest.finding;
import static io.gcdiag.diagnosis.RankingTest.judge;
import static io.gcdiag.diagnosis.RankingTest.twoWait;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.measures.waits.Effect;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two figures of one report that cannot both be true leave no high confidence. */
class StrainedLawsTest {

  private static final CrossCheck AGREES =
      new CrossCheck(
          "waits",
          "recording.jfr",
          1,
          "threads.txt",
          1,
          "1 and 1",
          Agreement.of(true),
          "the same number");

  private static Judgement ofPool(double simulatedSeconds) {
    Finding explains =
        finding("pool-wait")
            .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 0.9)
            .value("waitedSeconds", 1000)
            .value("simulatedSeconds", simulatedSeconds)
            .value("shareBySize", 0.9)
            .build();
    Finding supports =
        finding("second-voice").supports(Hypothesis.CONNECTION_POOL_UNDERSIZED).build();
    return judge(
            twoWait().everythingRecorded().incident(), true, List.of(AGREES), explains, supports)
        .get(0);
  }

  @Test
  void aModelThatDoesNotBringAboutTheWaitThatItExplainsLeavesNothingFirm() {
    // The size explains 900 s: a model may miss half of that.
    assertEquals(Optional.of(Confidence.HIGH), ofPool(500).confidence());
    Judgement missed = ofPool(400);
    assertEquals(Optional.of(Confidence.MEDIUM), missed.confidence());
    assertTrue(
        missed
            .doubts()
            .contains(
                "the simulated queue of the pool waits 6 min 40 s in total, the recorded one"
                    + " 16 min 40 s"),
        missed.doubts());
  }

  @Test
  void whatIsNormalOfCallsIsNotKnownWithoutABaseline() {
    String unknown = "there is no baseline that shows how much of it is normal";
    assertTrue(
        judge(RankingTest.explains(Hypothesis.SLOW_DOWNSTREAM, 0.9))
            .get(0)
            .doubts()
            .contains(unknown));
    // A queue is no part of any request's work.
    assertFalse(
        judge(RankingTest.explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, 0.9))
            .get(0)
            .doubts()
            .contains(unknown));
  }
}
