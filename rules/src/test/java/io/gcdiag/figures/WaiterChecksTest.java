package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.verdict.Scene;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads that wait for a connection, told by dumps, the recording and the pool's gauge. */
class WaiterChecksTest {

  private static final String POOL = "HikariCP";

  private static CrossCheck between(String a, String b, Scene scene) {
    return WaiterChecks.of(scene.timeline()).stream()
        .filter(
            check ->
                check.a().source().toString().startsWith(a)
                    && check.b().source().toString().startsWith(b))
        .findFirst()
        .orElseThrow();
  }

  private static CrossCheck dumpAndParks(Scene scene) {
    return between("threads-1.txt", Scene.RECORDING, scene);
  }

  private static CrossCheck dumpAndGauge(Scene scene) {
    return between("threads-1.txt", "metrics.json", scene);
  }

  @Test
  void aDumpsWaitersAreComparedWithTheParksOfThatSecond() {
    CrossCheck check =
        dumpAndParks(Scene.of(60).waiting(WaitKind.POOL, POOL, 10, 40, 50).dump(20, 52));
    // 50 were recorded; 52 are within a tenth.
    assertEquals(52, check.a().value());
    assertEquals(50, check.b().value(), 1e-6);
    assertEquals(Agreement.YES, check.agreement());
  }

  @Test
  void virtualThreadsAreInNoEventAndAreNotCompared() {
    Scene both = Scene.of(60).waiting(WaitKind.POOL, POOL, 10, 40, 50).dump(20, 52, 300);
    assertEquals(52, dumpAndParks(both).a().value());
    assertEquals(List.of(), WaiterChecks.of(Scene.of(60).dump(20, 0, 300).timeline()));
  }

  @Test
  void aDumpThatSeesManyMoreWaitersDisagrees() {
    // 40 s before the end: longer than any of them would have waited.
    Scene scene = Scene.of(60).waiting(WaitKind.POOL, POOL, 10, 40, 50).dump(20, 100);
    assertEquals(Agreement.NO, dumpAndParks(scene).agreement());
  }

  @Test
  void waitsThatOutlastTheRecordingAreNotInIt() {
    Scene scene = Scene.of(60).waiting(WaitKind.POOL, POOL, 10, 20, 50).dump(50, 60);
    assertEquals(Agreement.OPEN, dumpAndParks(scene).agreement());
  }

  @Test
  void threadsThatStillWaitInALaterDumpMayWaitForEver() {
    Scene scene = Scene.of(600).waiting(WaitKind.POOL, POOL, 1, 2, 1).dump(50, 60).dump(500, 60);
    assertEquals(Agreement.OPEN, dumpAndParks(scene).agreement());
  }

  @Test
  void fewerWaitersThanRecordedDisagreeToTheEnd() {
    Scene scene = Scene.of(60).waiting(WaitKind.POOL, POOL, 10, 60, 50).dump(55, 10);
    assertEquals(Agreement.NO, dumpAndParks(scene).agreement());
  }

  @Test
  void aDumpOutsideOfTheRecordingIsNotCompared() {
    assertEquals(
        List.of(),
        WaiterChecks.of(
            Scene.of(60).waiting(WaitKind.POOL, POOL, 10, 40, 50).dump(70, 50).timeline()));
  }

  @Test
  void aDumpAndTheScrapeNextToItAgree() {
    // Scrapes at 8, 16 and 24 s; the dump at 14 s.
    CrossCheck check = dumpAndGauge(Scene.of(60).pending(8, 0, 189, 200).dump(14, 187));
    assertEquals(
        "187 waiting in the dump at 10:00:14 UTC, 189 pending at 10:00:16 UTC, 2 s apart",
        check.text());
    assertEquals(Agreement.YES, check.agreement());
  }

  @Test
  void ofFewThreadsTheDifferenceIsSaidAndNotAShare() {
    // 0 and 2 are no quarter apart; 3 threads is what waits below a threshold may hide.
    CrossCheck check = dumpAndGauge(Scene.of(60).pending(8, 0, 2, 2).dump(13, 0));
    assertEquals(Agreement.YES, check.agreement());
    assertEquals("within 3 threads", check.tolerance());
  }

  @Test
  void aQueueThatComesAndGoesBetweenTwoScrapesContradictsNothing() {
    // The recording has 34 threads from 12 to 15 s, and none at 16 s.
    Scene scene =
        Scene.of(60).waiting(WaitKind.POOL, POOL, 12, 15, 34).pending(8, 0, 0, 0).dump(14, 34);
    assertEquals(Agreement.YES, dumpAndGauge(scene).agreement());
  }

  @Test
  void withoutTheRecordingsWordItIsOpen() {
    Scene scene = Scene.of(60).pending(8, 0, 0, 0).dump(13, 34);
    CrossCheck check = dumpAndGauge(scene);
    assertEquals(Agreement.OPEN, check.agreement());
    assertEquals("open: a queue can come and go in the 3 s between the two", check.tolerance());
  }

  @Test
  void twoNumbersOfOneSecondMustBeTheSame() {
    Scene scene = Scene.of(60).pending(8, 0, 0, 0).dump(16, 34);
    assertEquals(Agreement.NO, dumpAndGauge(scene).agreement());
  }

  @Test
  void theGaugesPeakIsHeldAgainstTheRecording() {
    Scene scene = Scene.of(600).waiting(WaitKind.POOL, POOL, 10, 40, 50).pending(20, 50, 0, 0);
    assertEquals(Agreement.YES, between("metrics.json", Scene.RECORDING, scene).agreement());
    Scene other = Scene.of(600).waiting(WaitKind.POOL, POOL, 10, 40, 50).pending(20, 90, 0, 0);
    assertEquals(Agreement.NO, between("metrics.json", Scene.RECORDING, other).agreement());
  }
}
