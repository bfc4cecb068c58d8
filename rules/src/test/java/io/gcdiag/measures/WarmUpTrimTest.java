package io.gcdiag.measures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.JvmSample.CompilerCount;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.WarmUpTrim.CompilerRate;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WarmUpTrimTest {

  /**
   * So much of all cores that the compilers took in the ten seconds before; all of it the JVM's.
   */
  private static Sample compiling(double at, double share) {
    return new ThreadGroupCpu(
        Scene.at(at),
        Duration.ofSeconds(10),
        "C2 CompilerThread*",
        ThreadGroupCpu.Kind.COMPILER,
        1,
        share);
  }

  /** Methods that the compilers were done with, second by second. */
  private static Sample[] compiled(int... eachSecond) {
    Sample[] counts = new Sample[eachSecond.length];
    long all = 4_000;
    for (int i = 0; i < eachSecond.length; i++) {
      all += eachSecond[i];
      counts[i] = new CompilerCount(Scene.at(i), all);
    }
    return counts;
  }

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
      scene.samples(compiling(at, at == 10 ? 0.1 : 0.01));
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
      scene.samples(compiling(at, 0.05));
    }
    assertFalse(find(scene.timeline()).incident().contains(Scene.at(5)));
  }

  /** Five threads wait for answers in one stretch; compilers at work for 30 s of 90. */
  private static Scene slowWhileCompiling(int from, int to) {
    int[] methods = new int[90];
    for (int i = 0; i < methods.length; i++) {
      methods[i] = i < 30 ? 100 : 10;
    }
    Scene scene =
        Scene.of(90)
            .waitingUnevenly(WaitKind.DOWNSTREAM, "there", 0, from, 0.05)
            .waitingUnevenly(WaitKind.DOWNSTREAM, "there", from, to, 5)
            .waitingUnevenly(WaitKind.DOWNSTREAM, "there", to, 90, 0.05)
            .cpu(0, 90, 0.3, 0.5)
            .samples(compiled(methods));
    for (int at = 10; at <= 90; at += 10) {
      scene.samples(compiling(at, 0.06));
    }
    return scene;
  }

  @Test
  void aLongWarmUpEndsWhenTheCompilersDo() {
    Windows windows = find(slowWhileCompiling(0, 29).timeline());
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
    assertFalse(windows.incident().contains(Scene.at(25)));
  }

  @Test
  void incidentThatOutlastsTheCompilersIsTheIncident() {
    assertTrue(find(slowWhileCompiling(0, 42).timeline()).incident().contains(Scene.at(20)));
  }

  @Test
  void aBaselineBeforeItShowsThatTheCodeWasCompiled() {
    assertTrue(find(slowWhileCompiling(14, 29).timeline()).incident().contains(Scene.at(20)));
  }

  @Test
  void theCompilersAreDoneWhenTheyAreDownToTheirLaterLevel() {
    Timeline timeline = slowWhileCompiling(0, 29).timeline();
    // 100 a second up to the 30th; the five seconds from 29 on hold 10 a second, as all later.
    assertEquals(
        Duration.ofSeconds(29),
        CompilerRate.of(timeline).settledWithin(Duration.ofMinutes(1), timeline.span()));
    Timeline steady = slowAtFirst().samples(compiled(new int[60])).timeline();
    assertEquals(
        Duration.ZERO, CompilerRate.of(steady).settledWithin(Duration.ofMinutes(1), steady.span()));
  }

  @Test
  void onAFullMachineTheMethodsCompiledShowItNotTheCompilersTime() {
    int[] methods = new int[60];
    for (int i = 0; i < methods.length; i++) {
      methods[i] = i < 10 ? 100 : 10;
    }
    Scene scene = slowAtFirst().samples(compiled(methods));
    for (int at = 10; at <= 60; at += 10) {
      scene.samples(compiling(at, 0.02));
    }
    assertFalse(find(scene.timeline()).incident().contains(Scene.at(5)));
  }

  @Test
  void queuesForWhatIsScarceAreTheIncidentEvenWhileCodeIsCompiled() {
    for (WaitKind scarce : List.of(WaitKind.LOCK, WaitKind.POOL)) {
      Scene scene = slowAtFirst(scarce);
      for (int at = 10; at <= 60; at += 10) {
        scene.samples(compiling(at, at == 10 ? 0.1 : 0.01));
      }
      assertTrue(find(scene.timeline()).incident().contains(Scene.at(5)), scarce::toString);
    }
  }

  /** Forty threads wait for a lock for 12 s, then hardly one, and from 45 s on six for answers. */
  private static Optional<Window> restBefore(int incident, int compiledAtFirst) {
    int[] methods = new int[90];
    for (int i = 0; i < methods.length; i++) {
      methods[i] = i < 12 ? compiledAtFirst : 10;
    }
    Timeline timeline =
        Scene.of(90)
            .waitingUnevenly(WaitKind.LOCK, "a lock", 0, 12, 40)
            .waitingUnevenly(WaitKind.DOWNSTREAM, "there", 12, 45, 0.05)
            .waitingUnevenly(WaitKind.DOWNSTREAM, "there", 45, 90, 6)
            .cpu(0, 90, 0.3, 0.5)
            .samples(compiled(methods))
            .timeline();
    return WarmUpTrim.rest(
        timeline,
        timeline.span(),
        new Windows(
            new Window(Scene.at(incident), Scene.at(90)),
            Optional.of(new Window(Scene.at(0), Scene.at(incident))),
            ChosenBy.CHANGE_POINT,
            true,
            "calls per second rose"));
  }

  @Test
  void aWarmUpInWhichMostWasLostIsNoBaselineOfWhatComesLater() {
    Window rest = restBefore(45, 100).orElseThrow();
    // The last locks are waited for until 13 s.
    assertTrue(rest.from().isAfter(Scene.at(11)), rest::toString);
    assertTrue(rest.from().isBefore(Scene.at(15)), rest::toString);
    assertEquals(Scene.at(90), rest.to());
    // Without compilers at work it is no warm-up, and a few seconds are no baseline.
    assertEquals(Optional.empty(), restBefore(45, 10));
    assertEquals(Optional.empty(), restBefore(20, 100));
  }

  @Test
  void incidentThatGoesAwayWithoutCompilersAtWorkIsTheIncident() {
    Scene scene = slowAtFirst().stop(0.05, 0.02, "RedefineClasses");
    for (int at = 10; at <= 60; at += 10) {
      scene.samples(compiling(at, 0.01));
    }
    Windows windows = find(scene.timeline());
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertTrue(windows.incident().contains(Scene.at(5)));
    assertTrue(find(slowAtFirst().timeline()).incident().contains(Scene.at(5)));
  }

  @Test
  void theFiguresOfTheLoadTestAreThoseOfWhatIsLeft() {
    // 100 requests each second: 495 ms in the first ten seconds, 5 ms later. Over the whole run
    // one in six was slow; of what is left none.
    Scene scene = slowAtFirst().load(100, 87, 5, 500).latencies(slowThenQuick());
    for (int at = 10; at <= 60; at += 10) {
      scene.samples(compiling(at, at == 10 ? 0.1 : 0.01));
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
        // From the middle of a second, on average, to its end.
        counter.add(Duration.ofMillis(i < slow ? 495 : 5));
      }
      seconds[i] = counter.latencies();
    }
    return seconds;
  }

  /** Two collections of 100 ms a second in the first 10 s of a log of 60 s, then one of 2 ms. */
  private static Scene logThatBeginsWith(long number) {
    Scene scene = Scene.ofLog(60);
    for (int i = 0; i < 70; i++) {
      double at = i < 20 ? i / 2.0 : i - 10;
      scene.pause(
          new GcPause(
              Scene.at(at + 0.2),
              Duration.ofMillis(i < 20 ? 100 : 2),
              PauseKind.YOUNG,
              "G1 Evacuation Pause",
              OptionalLong.of(number + i),
              Optional.empty(),
              false,
              new Source("gc.log", "")));
    }
    return scene;
  }

  @Test
  void theStartOfAJvmIsNoIncidentOfItsLog() {
    Windows windows = find(logThatBeginsWith(0).timeline());
    assertFalse(windows.incident().contains(Scene.at(5)), windows::reason);
    assertTrue(windows.reason().contains("left out: the first "), windows.reason());
  }

  @Test
  void theBeginningOfALogThatGoesOnMayBeOne() {
    Windows windows = find(logThatBeginsWith(300).timeline());
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertTrue(windows.incident().contains(Scene.at(5)), windows::reason);
  }

  /** 40 requests a second of 1 ms, and up to a second, so many a second that take 15 s. */
  private static Windows longPolls(int until) {
    Latencies[] seconds = new Latencies[60];
    for (int second = 0; second < seconds.length; second++) {
      Latencies.Counter counter = new Latencies.Counter();
      for (int i = 0; i < 40; i++) {
        counter.add(Duration.ofMillis(1));
      }
      if (second < until) {
        counter.add(Duration.ofSeconds(15));
      }
      seconds[second] = counter.latencies();
    }
    return find(Scene.of(60).latencies(seconds).timeline());
  }

  @Test
  void theLastSecondsInWhichLongRequestsHaveNotEndedAreNoBaseline() {
    // Requests that are sent in the last 15 s and take 15 s are in no file.
    assertEquals(Optional.empty(), longPolls(45).baseline());
    // Ended 35 s before the end: they came no more.
    assertTrue(longPolls(20).baseline().isPresent());
  }
}
