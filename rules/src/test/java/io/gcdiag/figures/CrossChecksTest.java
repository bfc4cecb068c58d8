package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.verdict.Scene;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CrossChecksTest {

  private static List<CrossCheck> of(Scene scene) {
    MeasuredIncident incident = scene.incident();
    return CrossChecks.of(incident, incident.effects(), true);
  }

  private static CrossCheck named(String start, List<CrossCheck> checks) {
    return checks.stream().filter(c -> c.fact().startsWith(start)).findFirst().orElseThrow();
  }

  private static Scene bothTell() {
    Scene scene = Scene.of(60);
    for (int at = 5; at < 60; at += 10) {
      // The log has whole milliseconds.
      scene.pause(Scene.RECORDING, at, 20.2).pause("gc.log", at + 0.001, 20);
    }
    return scene;
  }

  @Test
  void aLogAndARecordingOfOneJvmAgree() {
    List<CrossCheck> checks = of(bothTell());
    CrossCheck count = named("GC pauses", checks);
    assertEquals("gc.log", count.a().source().toString());
    assertEquals(Scene.RECORDING, count.b().source().toString());
    assertEquals(6, count.a().value());
    assertEquals(6, count.b().value());
    assertTrue(count.agrees());
    CrossCheck stopped = named("time stopped in GC pauses", checks);
    // 6 x 20 ms and 6 x 20.2 ms, 1 % apart.
    assertEquals(0.12, stopped.a().value(), 1e-9);
    assertEquals(0.1212, stopped.b().value(), 1e-9);
    assertTrue(stopped.agrees());
    assertTrue(named("longest GC pause", checks).agrees());
  }

  @Test
  void aPauseThatOnlyOneTellsIsADisagreement() {
    List<CrossCheck> checks = of(bothTell().pause("gc.log", 30, 50));
    assertFalse(named("GC pauses", checks).agrees());
    assertFalse(named("time stopped in GC pauses", checks).agrees());
    assertFalse(named("longest GC pause", checks).agrees());
  }

  private static List<ThreadState> locked(int count) {
    return Threads.serving(
        count, ThreadActivity.WAITING_FOR_LOCK, "com.shop.Cart", "com.shop.Cart.add");
  }

  @Test
  void dumpsThatShowFarMoreWaitingThanEventsDoAtTheSameMomentsContradictThem() {
    // 600 x 1 s over 60 s are 10 threads at any time; in the dumps 30 and 50 wait, all that work.
    MeasuredIncident incident =
        IncidentBuilder.incident()
            .waits(600, 60, 119, WaitKind.LOCK, "com.shop.Cart", 1_000)
            .dump(70, locked(30))
            .dump(90, locked(50))
            .build();
    CrossCheck check =
        named(
            "threads waiting for a lock, mean", CrossChecks.of(incident, incident.effects(), true));
    assertTrue(check.disagrees());
    assertEquals(Optional.of(Effect.LOCK_WAIT), check.about());
  }

  private static GcPause serial(double at, double millis, PauseKind kind, int before, int after) {
    return new GcPause(
        Scene.at(at),
        Durations.ofSeconds(millis / 1e3),
        kind,
        "Allocation Failure",
        OptionalLong.empty(),
        Optional.of(new HeapChange(Bytes.ofMebi(before), Bytes.ofMebi(after), Bytes.ofMebi(216))),
        false,
        new Source("gc.log", ""));
  }

  @Test
  void aCollectionThatIsGivenUpForAFullOneIsInTheLogAlone() {
    // 199M->199M in 0.1 ms, and at once the full one, which both tell.
    Scene scene =
        bothTell()
            .pause(serial(30, 0.1, PauseKind.YOUNG, 199, 199))
            .pause(serial(30.0001, 150, PauseKind.FULL, 199, 135))
            .pause(Scene.RECORDING, 30, 150);
    assertTrue(named("GC pauses", of(scene)).agrees());
    // One that moved nothing, and took its time, is no attempt.
    assertFalse(
        named("GC pauses", of(bothTell().pause(serial(30, 40, PauseKind.YOUNG, 199, 199))))
            .agrees());
  }

  @Test
  void filesThatDoNotOverlapAreNotCompared() {
    assertEquals(List.of(), of(Scene.of(60).pause(Scene.RECORDING, 5, 20).pause("gc.log", 40, 20)));
  }

  @Test
  void oneSourceIsNoCheck() {
    assertEquals(List.of(), of(Scene.of(60).pauses(0, 60, 5, 20)));
  }

  @Test
  void theLoadTestsLossIsComparedWithTheLedger() {
    Scene scene =
        Scene.of(60)
            .recorded(Signal.REQUEST_STATS)
            .waiting(WaitKind.POOL, "HikariCP", 0, 60, 2)
            .load(100, 25, 10, 90);
    CrossCheck check = named("lost time of all requests", of(scene));
    // (25 - 10) ms x 100/s x 120 s = 180; 2 threads x 60 s = 120.
    assertEquals(180, check.a().value(), 1e-6);
    assertEquals(120, check.b().value(), 1e-6);
    assertTrue(check.agrees());
    // The test is longer than the window: the shares are shares of the 120 s.
    assertEquals(
        "waits, pauses and computing of the incident, the report's lost time",
        check.b().source().toString());
  }

  /** Most of the test is the incident, so that its median is slow; 1,200 threads waited so long. */
  private static CrossCheck ofWindow(double waitMillis) {
    MeasuredIncident incident =
        IncidentBuilder.incident()
            .requests(100, 10, 30)
            .loadTest(100, 20, 29, 31)
            .waits(1200, 60, 119, WaitKind.POOL, "HikariCP", waitMillis)
            .build();
    return named("lost time of all requests", CrossChecks.of(incident, incident.effects(), true));
  }

  @Test
  void latenciesOverTimeSayWhatWasLostAndNotTheMedianOfTheWholeTest() {
    // (30 - 10) ms x 100/s x 60 s = 120 s against 1,200 x 75 ms = 90 s.
    CrossCheck check = ofWindow(75);
    assertEquals(120, check.a().value(), 1.5);
    assertEquals(90, check.b().value(), 0.1);
    assertTrue(check.agrees());
    // What the requests took longer is the whole, and the 90 s are a part of it.
    assertEquals(
        "k6.csv, (mean - baseline's mean) x requests of the incident," + " the report's lost time",
        check.a().source().toString());
    // 1,200 x 25 ms = 30 s: what was recorded nowhere contradicts nothing.
    assertEquals(30, ofWindow(25).b().value(), 0.1);
    assertEquals(Agreement.OPEN, ofWindow(25).agreement());
    // 1,200 x 500 ms = 600 s are five times what requests lost.
    assertEquals(Agreement.NO, ofWindow(500).agreement());
  }

  @Test
  void whatRequestsLostAtADumpIsNoPartOfTheIncident() {
    MeasuredIncident incident =
        IncidentBuilder.incident()
            .requests(100, 10, 30)
            .waits(1200, 60, 119, WaitKind.POOL, "HikariCP", 75)
            .safepoint(80, 0, 500, "PrintThreads", false)
            .build();
    CrossCheck check =
        named("lost time of all requests", CrossChecks.of(incident, incident.effects(), true));
    double looks = incident.effects().observerSeconds();
    assertTrue(looks > 1, "of 100 requests a second those of half a second wait");
    // (30 - 10) ms x 100/s x 60 s = 120 s.
    assertEquals(120 - looks, check.a().value(), 1.5);
    assertTrue(
        check.a().source().toString().contains(" at stops for thread dumps and the recorder"));
  }

  @Test
  void ofSeveralLatenciesTheReportSaysWhichItUses() {
    Scene scene = Scene.of(2).load(100, 25, 10, 90);
    // Ten of 30 ms, ten of 50 ms.
    scene.latencies(Latencies.ofTotal(10, 0.3), Latencies.ofTotal(10, 0.5));
    assertEquals(
        "40 ms by metrics.json, which this report uses; 25 ms by load.json, whole test",
        named("mean latency", of(scene)).text());
  }

  @Test
  void latenciesAThousandTimesApartMayBeInAnotherUnit() {
    assertTrue(why(40_000, 40).contains("or one is in another unit"), why(40_000, 40));
    assertTrue(why(40, 40_000).startsWith("users should not wait for less"), why(40, 40_000));
    assertEquals("open: their requests differ", why(41, 40));
  }

  /** Means of the users and of the server, in milliseconds. */
  private static String why(double users, double server) {
    Scene scene = Scene.of(2).load(100, users, users, users);
    double sum = 10 * server / 1e3;
    scene.latencies(Latencies.ofTotal(10, sum), Latencies.ofTotal(10, sum));
    return named("mean latency", of(scene)).tolerance();
  }

  @Test
  void oneLatencyNeedsNoChoice() {
    List<CrossCheck> checks = of(Scene.of(2).latencies(Latencies.ofTotal(10, 0.3)));
    assertTrue(checks.stream().noneMatch(check -> check.fact().startsWith("mean latency")));
  }
}
