package io.gcdiag.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Latencies;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.Windows;
import io.gcdiag.evidence.Windows.ChosenBy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettlingTest {

  /** Five threads wait for answers in the first ten seconds of a minute and next to none later. */
  private static Scene slowAtFirst() {
    return slowAtFirst(WaitKind.DOWNSTREAM);
  }

  private static Scene slowAtFirst(WaitKind kind) {
    return Scene.of(60)
        .waitingUnevenly(kind, "there", 0, 10, 5)
        .waitingUnevenly(kind, "there", 10, 60, 0.05)
        .cpu(0, 60, 0.3, 0.5);
  }

  private static Windows find(Timeline timeline) {
    return WindowFinder.find(timeline, Optional.empty(), Optional.empty());
  }

  @Test
  void theFirstSecondsAreLeftOutWhileCodeIsCompiled() {
    Scene scene = slowAtFirst();
    for (int at = 10; at <= 60; at += 10) {
      scene.compiling(at, at == 10 ? 0.1 : 0.01);
    }
    Windows windows = find(scene.timeline());
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertEquals(Scene.at(60), windows.incident().to());
    assertTrue(windows.incident().seconds() <= 51, windows.incident()::toString);
    assertTrue(windows.reason().contains("left out: the first "), windows.reason());
  }

  @Test
  void soTheyAreIfARecordingHadClassesRewrittenAndTheCompilersWorkOn() {
    Scene scene = slowAtFirst().stop(0.05, 0.02, "RedefineClasses");
    for (int at = 10; at <= 60; at += 10) {
      scene.compiling(at, 0.05);
    }
    assertFalse(find(scene.timeline()).incident().contains(Scene.at(5)));
  }

  @Test
  void queuesForWhatIsScarceAreTheIncidentEvenWhileCodeIsCompiled() {
    for (WaitKind scarce : List.of(WaitKind.LOCK, WaitKind.POOL)) {
      Scene scene = slowAtFirst(scarce);
      for (int at = 10; at <= 60; at += 10) {
        scene.compiling(at, at == 10 ? 0.1 : 0.01);
      }
      assertTrue(find(scene.timeline()).incident().contains(Scene.at(5)), scarce::toString);
    }
  }

  @Test
  void troubleThatGoesAwayWithoutCompilersAtWorkIsTheIncident() {
    Scene scene = slowAtFirst().stop(0.05, 0.02, "RedefineClasses");
    for (int at = 10; at <= 60; at += 10) {
      scene.compiling(at, 0.01);
    }
    Windows windows = find(scene.timeline());
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertTrue(windows.incident().contains(Scene.at(5)));
    assertTrue(find(slowAtFirst().timeline()).incident().contains(Scene.at(5)));
  }

  @Test
  void theFiguresOfTheLoadTestAreThoseOfWhatIsLeft() {
    // 100 requests each second: 500 ms in the first ten seconds, 5 ms later. Over the whole run
    // one in six was slow; of what is left none.
    Scene scene = slowAtFirst().load(100, 87, 5, 500).latencies(slowThenQuick());
    for (int at = 10; at <= 60; at += 10) {
      scene.compiling(at, at == 10 ? 0.1 : 0.01);
    }
    Diagnosis diagnosis =
        Diagnoser.diagnose(
            scene.everythingRecorded().timeline(), Optional.empty(), Optional.empty());
    assertEquals(Conclusion.HEALTHY, diagnosis.conclusion(), diagnosis::summary);
  }

  @Test
  void twoSecondsInWhichARecordingBeganAreTooShortForAStretchAndLeftOut() {
    Scene scene = Scene.of(60).cpu(0, 60, 0.3, 0.5).latencies(slowThenQuick(2));
    Windows windows = find(scene.timeline());
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertEquals(Scene.at(2), windows.incident().from());
    assertTrue(windows.reason().contains("left out: the first 2 s, "), windows.reason());
  }

  @Test
  void withoutARecordingNothingBeganThen() {
    Windows windows = find(Scene.of(60).latencies(slowThenQuick(2)).timeline());
    assertEquals(Scene.at(0), windows.incident().from());
  }

  private static Latencies[] slowThenQuick() {
    return slowThenQuick(10);
  }

  private static Latencies[] slowThenQuick(int slow) {
    Latencies[] seconds = new Latencies[60];
    for (int i = 0; i < seconds.length; i++) {
      Latencies.Counter counter = new Latencies.Counter();
      for (int n = 0; n < 100; n++) {
        counter.add(Duration.ofMillis(i < slow ? 500 : 5));
      }
      seconds[i] = counter.latencies();
    }
    return seconds;
  }
}
