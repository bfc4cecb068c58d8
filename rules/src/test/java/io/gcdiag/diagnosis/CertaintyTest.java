package io.gcdiag.diagnosis;

import static io.gcdiag.diagnosis.RankingTest.explains;
import static io.gcdiag.diagnosis.RankingTest.finding;
import static io.gcdiag.diagnosis.RankingTest.judge;
import static io.gcdiag.diagnosis.RankingTest.of;
import static io.gcdiag.diagnosis.RankingTest.twoWait;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.diagnosis.CrossCheck.Agreement;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.Effect;
import io.gcdiag.rules.Hypothesis;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far to rely on a verdict, and why. */
class CertaintyTest {

  private static CrossCheck check(String a, String b, boolean agrees) {
    return new CrossCheck("pauses", a, 1, b, 1, "1 and 1", Agreement.of(agrees), "the same number");
  }

  private static Confidence confidence(CrossCheck... checks) {
    List<Judgement> judgements =
        judge(
            twoWait().everythingRecorded().incident(),
            true,
            List.of(checks),
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build());
    return judgements.get(0).confidence().orElseThrow();
  }

  @Test
  void aSecondSourceThatAgreesMakesAVerdictFirmAndOneThatDoesNotMakesItDoubtful() {
    assertEquals(Confidence.MEDIUM, confidence());
    assertEquals(Confidence.HIGH, confidence(check("gc.log", "recording.jfr", true)));
    assertEquals(Confidence.LOW, confidence(check("gc.log", "recording.jfr", false)));
    assertEquals(Confidence.LOW, confidence(check("recording.jfr jdk.ThreadPark", "a", false)));
  }

  @Test
  void aCheckOfAnotherFileDoesNotCountThoughItsNameBeginsTheSame() {
    assertEquals(Confidence.MEDIUM, confidence(check("gc.log", "recording.jfr.2", false)));
  }

  @Test
  void aDisputeOnAnotherEffectLeavesAVerdictAsItIs() {
    Window time = Scene.window(10, 11);
    // The verdict rests on waiting for connections: what files say of pauses is another matter.
    CrossCheck pauses = check("gc.log", "recording.jfr", false).at(time, Effect.STOPPED);
    CrossCheck waiters = check("gc.log", "recording.jfr", false).at(time, Effect.POOL_WAIT);
    CrossCheck agrees = check("gc.log", "recording.jfr", true);
    assertEquals(Confidence.HIGH, confidence(agrees, pauses));
    assertEquals(Confidence.LOW, confidence(agrees, waiters));
  }

  @Test
  void whatKeepsAVerdictFromBeingFirmIsSaid() {
    Judgement one = judge(explains(Hypothesis.MEMORY_PRESSURE, 0.9)).get(0);
    assertEquals(
        "only one kind of evidence speaks for it; no second file confirms it", one.doubts());
    List<Judgement> disputed =
        judge(
            twoWait().everythingRecorded().incident(),
            true,
            List.of(check("gc.log", "recording.jfr", false)),
            explains(Hypothesis.MEMORY_PRESSURE, 0.6),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build());
    assertEquals(
        "two sources differ on pauses (1 and 1); no second file confirms it",
        disputed.get(0).doubts());
    assertEquals("", disputed.get(1).doubts());
  }

  @Test
  void ofTwoThatExplainAsMuchNeitherIsSure() {
    CrossCheck agrees = check("gc.log", "recording.jfr", true);
    List<Judgement> judgements =
        judge(
            twoWait().everythingRecorded().incident(),
            true,
            List.of(agrees),
            explains(Hypothesis.MEMORY_PRESSURE, 0.45),
            explains(Hypothesis.SLOW_DOWNSTREAM, 0.42),
            finding("second-voice").supports(Hypothesis.MEMORY_PRESSURE).build());
    assertEquals(Optional.of(Confidence.MEDIUM), judgements.get(0).confidence());
    assertTrue(
        judgements.get(0).doubts().startsWith("slow-downstream explains nearly as much"),
        judgements.get(0)::doubts);
  }

  @Test
  void aLoadTestThatMeasuredTheSameDelayConfirmsTheRecording() {
    // Two threads wait for all of the minute: 120 s. The test's 12,000 requests that take 20 ms
    // instead of 10 lose 120 s as well; at 60 ms instead of 10 they lose 600 s.
    assertEquals(Optional.of(Confidence.MEDIUM), confidenceUnderLoad(20));
    assertEquals(Optional.of(Confidence.LOW), confidenceUnderLoad(60));
  }

  private static Optional<Confidence> confidenceUnderLoad(double meanMillis) {
    Incident incident =
        twoWait().everythingRecorded().load(100, meanMillis, 10, 3 * meanMillis).incident();
    return judge(incident, true, List.of(), explains(Hypothesis.MEMORY_PRESSURE, 1))
        .get(0)
        .confidence();
  }

  @Test
  void whatIsTheCauseItselfNeedsNoSecondKindOfEvidence() {
    Judgement proven =
        of(Hypothesis.DEADLOCK, judge(finding("circle").proves(Hypothesis.DEADLOCK).build()));
    assertEquals(Optional.of(Confidence.MEDIUM), proven.confidence());
    assertEquals("no second file confirms it", proven.doubts());
  }
}
