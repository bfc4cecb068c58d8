package io.gcdiag.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.ledger.EffectTimes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TroubleTest {

  private static Trouble of(Incident incident) {
    return Trouble.of(incident, EffectTimes.of(incident));
  }

  private static Trouble of(Scene scene) {
    return of(scene.incident());
  }

  @Test
  void manyShortPausesOfHeavyAllocationAreNone() {
    // 10 pauses of 4 ms a second: 4 % of the time stopped, below a twentieth.
    assertFalse(of(Scene.of(60).pauses(0, 60, 0.1, 4)).present());
  }

  @Test
  void aTwentiethOfTheTimeStoppedIs() {
    // One pause of 60 ms a second: 6 %.
    Trouble trouble = of(Scene.of(60).pauses(0, 60, 1, 60));
    assertTrue(trouble.present());
    assertTrue(trouble.measure().contains("stopped for 6"), trouble::measure);
  }

  @Test
  void aFullProcessorAloneIsNone() {
    assertFalse(of(Scene.of(60).cpu(0, 60, 0.97, 0.98)).present());
  }

  @Test
  void halfAThreadKeptWaitingIsWhereTheRateIsUnknown() {
    // 1 thread for 24 of 60 s is 0.4 on average, for 36 of 60 s it is 0.6.
    assertFalse(of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 24, 1)).present());
    assertTrue(of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 36, 1)).present());
  }

  @Test
  void withTheRateKnownWhatEachRequestLosesCounts() {
    // 2 threads waiting at 1,000/s is 2 ms a request, which nobody feels; at 100/s it is 20 ms, of
    // requests that usually take 10.
    assertFalse(
        of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2).load(1_000, 12, 10, 40))
            .present());
    assertTrue(
        of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2).load(100, 30, 10, 90))
            .present());
  }

  @Test
  void aDelayThatIsSmallAgainstTheWorkItselfIsNone() {
    // 2 threads at 100/s: 20 ms a request, of requests that take a second.
    assertFalse(
        of(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2).load(100, 1_020, 1_000, 1_300))
            .present());
  }

  @Test
  void delaysThatNothingRecordedAccountsForAreTrouble() {
    // A mean of 20 ms, half of the requests within 10 ms: 10 ms are lost per request.
    assertTrue(of(Scene.of(60).load(100, 20, 10, 500)).present());
  }

  @Test
  void aLongTailThatHardlyMovesTheMeanIsUnseenTrouble() {
    // The slowest hundredth takes 500 ms and more, the median 10 ms: 50 times.
    Trouble trouble = of(Scene.of(60).load(100, 12, 10, 500));
    assertFalse(trouble.present());
    assertTrue(trouble.unseen());
    // 10 times is an ordinary spread; 150 ms is short whatever the ratio.
    assertFalse(of(Scene.of(60).load(100, 30, 50, 500)).unseen());
    assertFalse(of(Scene.of(60).load(100, 5, 2, 150)).unseen());
  }

  private static Conclusion conclusion(Scene scene) {
    return Diagnoser.diagnose(scene.timeline(), Optional.empty(), Optional.empty()).conclusion();
  }

  @Test
  void healthyIsWhatCouldBeLookedAtAndShowsNoTrouble() {
    assertEquals(
        Conclusion.HEALTHY,
        conclusion(Scene.of(60).everythingRecorded().pauses(0, 60, 0.1, 4).cpu(0, 60, 0.97, 0.98)));
  }

  @Test
  void withALongTailUnseenTheAnswerIsUndecided() {
    assertEquals(
        Conclusion.UNDECIDED,
        conclusion(Scene.of(60).recorded(Signal.REQUEST_STATS).load(100, 20, 10, 500)));
  }
}
