package io.gcdiag.measures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.sketches.CallSamples;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What changed with the incident says since when, where no wait or stop does. */
class ChangedActivityTest {

  private static final HardwareThreads FOUR_CORES = new HardwareThreads(Scene.at(0), 4);
  private static final Source SOURCE = new Source("recording.jfr", "jdk.ExceptionStatistics");

  private static Windows find(Scene scene) {
    return WindowFinder.find(scene.timeline(), Optional.empty(), Optional.empty());
  }

  private static Scene machine() {
    return Scene.of(120).samples(FOUR_CORES);
  }

  @Test
  void moreCpuOfTheJvmOnAMachineWithRoomBeginsAWindow() {
    Windows windows = find(machine().cpu(0, 60, 0.05, 0.1).cpu(60, 120, 0.4, 0.45));
    assertEquals(ChosenBy.CHANGE_POINT, windows.chosenBy());
    assertEquals(Scene.window(60, 120), windows.incident());
    // A tenth of the minute before is left out.
    assertEquals(Optional.of(Scene.window(0, 54)), windows.baseline());
    assertTrue(
        windows.reason().startsWith("CPU use of the JVM rose from 5.0 % to 40.0 % on average"),
        windows.reason());
  }

  @Test
  void aQueueBeginsAWindowAlthoughAllWaitingTogetherHardlyGrows() {
    // Waits for other things come and go: one thread in one second, none in the next.
    Scene scene = Scene.of(60);
    for (int second = 0; second < 60; second += 2) {
      scene.waiting(WaitKind.OTHER, "shop.Mail", second, second + 1, 1);
    }
    for (int second = 30; second < 60; second++) {
      scene.waiting(WaitKind.LOCK, "shop.Stock", second, second + 0.1, 1);
    }
    Windows windows = find(scene);
    assertEquals(Scene.window(30, 60), windows.incident());
    assertTrue(
        windows.reason().startsWith("threads waiting for a lock rose from 0 to 0.1 on average"),
        windows.reason());
  }

  @Test
  void moreCallsThatAreTooShortForEventsBeginAWindow() {
    Scene scene = Scene.of(60);
    for (int second = 0; second < 60; second++) {
      // 0 to 0.4 threads and 3 to 5: of so few samples a second one more or less is much.
      double chance = second * 7 % 5 / 4.0;
      scene.samples(
          CallSamples.from(Scene.at(second), 10, second < 30 ? 0.4 * chance : 3 + 2 * chance));
    }
    Windows windows = find(scene);
    assertEquals(Scene.window(30, 60), windows.incident());
    assertTrue(
        windows
            .reason()
            .startsWith("threads in calls that only samples show rose from 0.2 to 4 on average"),
        windows.reason());
  }

  @Test
  void callsThatEventsShowAreNotMoreBecauseSamplesMeetMoreOfThem() {
    // Four threads in calls all the time: a sampler that lacks a core meets few of them at first.
    Scene scene = Scene.of(60).waiting(WaitKind.DOWNSTREAM, "db:5432", 0, 60, 4);
    for (int second = 0; second < 60; second++) {
      scene.samples(CallSamples.from(Scene.at(second), 10, second < 30 ? 0.2 : 4));
    }
    assertEquals(ChosenBy.WHOLE_RECORDING, find(scene).chosenBy());
  }

  @Test
  void countersAreReadNowAndThen() {
    Scene scene = machine();
    // 5 a second, and from the 70th second on 1,000; read every two seconds.
    for (int second = 0; second <= 120; second += 2) {
      long total = 5L * second + 995L * Math.max(0, second - 70);
      scene.samples(new ExceptionCount(Scene.at(second), total, SOURCE));
    }
    Windows windows = find(scene);
    Window incident = windows.incident();
    assertTrue(
        Duration.between(Scene.at(70), incident.from()).abs().toSeconds() <= 2,
        incident.toString());
    assertTrue(windows.reason().startsWith("exceptions per second rose from "), windows.reason());
  }

  @Test
  void whatPassesBeforeTheEndIsNotWhatTheFilesWereTakenFor() {
    Windows windows =
        find(machine().cpu(0, 40, 0.05, 0.1).cpu(40, 70, 0.4, 0.45).cpu(70, 120, 0.05, 0.1));
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
  }

  @Test
  void whatBeginsWithTheRecordingLeavesNothingToCompareWith() {
    Windows windows = find(machine().cpu(0, 6, 0.05, 0.1).cpu(6, 120, 0.4, 0.45));
    assertEquals(ChosenBy.WHOLE_RECORDING, windows.chosenBy());
  }

  /** Requests that take 20 ms, and from the 60th of 100 seconds on 400 ms. */
  private static Scene slowFrom60() {
    Latencies[] seconds = new Latencies[100];
    for (int i = 0; i < seconds.length; i++) {
      Latencies.Counter second = new Latencies.Counter();
      for (int request = 0; request < 20; request++) {
        second.add(Duration.ofMillis(i < 60 ? 20 : 400));
      }
      seconds[i] = second.latencies();
    }
    return Scene.of(100).shortest(10).latencies(seconds);
  }

  @Test
  void theBaselineEndsWhereTheFaultBeginsAndNotWhereItIsFelt() {
    Windows untouched = find(slowFrom60().allocating(0, 100, 31));
    assertEquals(Scene.window(60, 100), untouched.incident());
    // A tenth of the minute before is left out.
    assertEquals(Optional.of(Scene.window(0, 54)), untouched.baseline());
    Windows windows = find(slowFrom60().allocating(0, 52, 31).allocating(52, 100, 671));
    assertEquals(Scene.window(60, 100), windows.incident());
    // Of the 52 s before it, a tenth is left out: 5.2 s.
    assertEquals(Optional.of(Scene.window(0, 46.8)), windows.baseline());
    // Up to the incident, by turns of three seconds: 31 x 51.9 / 52, and 671 x 8.1 / 8.
    assertTrue(
        windows
            .reason()
            .endsWith(
                "; 8 s before that, the allocation rate rose from 30.9 MiB/s to 679 MiB/s on"
                    + " average"),
        windows.reason());
  }

  @Test
  void whatFallsBackIsNotTheFault() {
    Optional<Window> whole = Optional.of(Scene.window(0, 54));
    Windows before =
        find(slowFrom60().allocating(0, 40, 31).allocating(40, 50, 671).allocating(50, 100, 31));
    assertEquals(whole, before.baseline());
    Windows with =
        find(slowFrom60().allocating(0, 52, 31).allocating(52, 60, 671).allocating(60, 100, 31));
    assertEquals(whole, with.baseline());
  }

  @Test
  void whatRoseLongBeforeLeavesLessToCompareWithThanItTakesAway() {
    // 28 s before it, 32 s from there to the incident.
    Windows windows = find(slowFrom60().allocating(0, 28, 31).allocating(28, 100, 671));
    assertEquals(Optional.of(Scene.window(0, 54)), windows.baseline());
  }

  @Test
  void theFirstOfWhatRoseEndsTheBaseline() {
    Scene scene = slowFrom60().samples(FOUR_CORES).cpu(0, 44, 0.05, 0.1).cpu(44, 100, 0.4, 0.45);
    Windows windows = find(scene.allocating(0, 52, 31).allocating(52, 100, 671));
    // Of the 44 s before, a tenth is left out: 4.4 s.
    assertEquals(Optional.of(Scene.window(0, 39.6)), windows.baseline());
    assertTrue(
        windows
            .reason()
            .endsWith(
                "; 16 s before that, CPU use of the JVM rose from 5.0 % to 40.0 % on average"),
        windows.reason());
  }

  @Test
  void callsThatOutlastOtherWaitsBeginAWindowOfTheirOwn() {
    // Two threads wait all the time: first for a connection, then for the database.
    Windows windows =
        find(
            Scene.of(120)
                .waiting(WaitKind.POOL, "HikariCP", 0, 70, 2)
                .waiting(WaitKind.DOWNSTREAM, "db:5432", 70, 120, 2));
    assertEquals(Scene.window(70, 120), windows.incident());
    assertTrue(
        windows
            .reason()
            .startsWith("threads in calls to databases and services rose from 0 to 2 on average"),
        windows.reason());
  }

  @Test
  void callsOfOtherThreadsEndABaselineAndBeginNoWindow() {
    WaitSite cleaner = new WaitSite(WaitKind.DOWNSTREAM, "archive:80", false, "Cleaner.run");
    Windows alone =
        find(
            Scene.of(100).waiting(WaitKind.LOCK, "Ledger", 0, 100, 1).waiting(cleaner, 44, 100, 1));
    assertEquals(ChosenBy.WHOLE_RECORDING, alone.chosenBy());
    Windows before =
        find(
            Scene.of(100)
                .waitingUnevenly(WaitKind.LOCK, "Ledger", 60, 100, 5)
                .waiting(cleaner, 44, 100, 1));
    assertEquals(Scene.window(60, 100), before.incident());
    // Of the 44 s before, a tenth is left out: 4.4 s.
    assertEquals(Optional.of(Scene.window(0, 39.6)), before.baseline());
    assertTrue(
        before
            .reason()
            .endsWith(
                "; 16 s before that, threads in calls to databases and services rose from 0 to 1"
                    + " on average"),
        before.reason());
  }
}
