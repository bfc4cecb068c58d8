package io.gcdiag.causes.stops;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.RECORDING;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.stops.SafepointStallCause.SafepointTimeRule;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadTurnover;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SafepointTimeRuleTest {

  private final Rule rule = new SafepointTimeRule();

  private static IncidentBuilder everySecond(double reaching, double at, boolean collection) {
    IncidentBuilder incident = incident();
    for (int second = 60; second < 120; second++) {
      incident.safepoint(
          second,
          reaching,
          at,
          collection ? "ParallelGCFailedAllocation" : "GC_HeapInspection",
          collection);
    }
    return incident;
  }

  @Test
  void timeUntilTheLastThreadStopsIsLostBesideTheCollection() {
    // 60 x 300 ms = 18 s of 60 s.
    Finding finding = only(rule, everySecond(300, 1, true));
    assertEquals(
        "60 safepoints took 18 s outside GC pauses (30.0 % of the time), longest 300 "
            + "ms (ParallelGCFailedAllocation)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
  }

  /** Whatever the operation: the thread that does it gets a moment of each period. */
  @Test
  void stopsUnderAQuotaThatIsUsedUpInEachPeriodAreTheQuotas() {
    Source cgroup = new Source("recording.jfr", "jdk.ContainerCPUThrottling");
    Finding finding =
        only(
            rule,
            everySecond(1, 99, false)
                .sample(new ThrottleCount(at(60), 600, 0, Duration.ZERO, cgroup))
                .sample(new ThrottleCount(at(120), 1_200, 590, Duration.ofSeconds(30), cgroup)));
    assertEquals(1, passes(finding, Effect.SAFEPOINT, Effect.THROTTLED), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
  }

  @Test
  void theCollectionItselfIsNotCounted() {
    assertTrue(refutes(only(rule, everySecond(1, 300, true)), Hypothesis.SAFEPOINT_STALL));
  }

  @Test
  void whatManyCollectionsTakeToBeginIsTheirs() {
    // 60 x 20 ms = 1.2 s, 2 % of the time, but none of them takes long.
    Finding finding = only(rule, everySecond(20, 300, true));
    assertTrue(refutes(finding, Hypothesis.SAFEPOINT_STALL));
    assertEquals(1, passes(finding, Effect.SAFEPOINT, Effect.STOPPED), 1e-9);
  }

  @Test
  void longStopsForCollectionsThatTheBaselineHadNotAreTheCollections() {
    // 6 collections in the minute of the baseline and 60 in the other: of 60 long stops 54 are
    // additional.
    IncidentBuilder incident = everySecond(300, 1, true);
    for (int second = 5; second < 60; second += 10) {
      incident.safepoint(second, 1, 1, "ParallelGCFailedAllocation", true);
    }
    Finding finding = only(rule, incident);
    assertEquals(0.1, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
    assertEquals(0.9, passes(finding, Effect.SAFEPOINT, Effect.STOPPED), 1e-9);
  }

  @Test
  void anOperationThatIsNoCollectionCountsWhole() {
    // 60 x (1 + 99) ms = 6 s.
    assertEquals(6, value(only(rule, everySecond(1, 99, false)), "lostSeconds"), 1e-9);
  }

  @Test
  void manyShortOperationsThatAreNoCollectionsStopTheApplicationAsWell() {
    // 60 x (1 + 39) ms = 2.4 s, 4 % of the time; none of it because of a collection.
    Finding finding = only(rule, everySecond(1, 39, false));
    assertEquals(1, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
    assertEquals(0, passes(finding, Effect.SAFEPOINT, Effect.STOPPED), 1e-9);
  }

  private String advice(String operation) {
    return only(rule, incident().safepoint(70, 900, 1, operation, false))
        .actions()
        .getOrDefault(Hypothesis.SAFEPOINT_STALL, "none");
  }

  /** Wherever most of their time goes: no loop without a poll makes these stops. */
  @Test
  void stopsThatTheJvmMakesForItselfHaveARemedyOfTheirOwn() {
    assertEquals(
        "-XX:-UseBiasedLocking, the default from JDK 15 on: RevokeBias stops all threads for one"
            + " lock",
        advice("RevokeBias"));
    assertTrue(advice("BulkRevokeBias").startsWith("-XX:-UseBiasedLocking"));
    assertTrue(advice("Deoptimize").startsWith("find which code is compiled and thrown away"));
    assertEquals("none", advice("Cleanup"));
  }

  /** 60 x 20 x (0.7 + 0.05) ms = 0.9 s, 1.5 % of the time, none longer than a millisecond. */
  @Test
  void aBufferThatIsFullAgainAndAgainStopsTheApplication() {
    IncidentBuilder incident = incident();
    for (int i = 0; i < 1_200; i++) {
      incident.safepoint(60 + i / 20.0, 0.7, 0.05, "ICBufferFull", false);
    }
    Finding finding = only(rule, incident);
    assertEquals(1, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
    assertTrue(
        finding.actions().get(Hypothesis.SAFEPOINT_STALL).startsWith("take a later update"),
        finding.actions()::toString);
  }

  @Test
  void withoutSafepointsThereIsNothingToSay() {
    assertSilent(rule, incident());
  }

  private static IncidentBuilder twoDumps() {
    return incident()
        .safepoint(70, 5, 1900, "PrintThreads", false)
        .safepoint(90, 5, 1900, "PrintThreads", false);
  }

  @Test
  void theTimeAtAStopForAThreadDumpIsTheObservers() {
    // Two dumps of 1.9 s; 5 + 5 ms until the threads had stopped are the service's.
    Finding finding = only(rule, twoDumps());
    assertEquals(0.01, value(finding, "lostSeconds"), 1e-9);
    assertEquals(3.8, value(finding, "observedSeconds"), 1e-9);
    assertTrue(refutes(finding, Hypothesis.SAFEPOINT_STALL));
    EffectTimes times = twoDumps().build().effects();
    // Without a request rate one piece of work is held up at a time: 0.01 s.
    assertEquals(0.01, times.excessSeconds(Effect.SAFEPOINT), 1e-9);
  }

  @Test
  void aDumpOfSeveralOperationsIsOneLook() {
    // jcmd Thread.print -l stops the threads three times, and the recorder beside it for itself.
    IncidentBuilder incident = incident();
    for (int second : new int[] {70, 80, 90}) {
      incident
          .safepoint(second, 0, 1900, "PrintThreads", false)
          .safepoint(second + 1, 0, 90, "PrintJNI", false)
          .safepoint(second + 2, 0, 10, "FindDeadlocks", false)
          .safepoint(second + 3, 0, 100, "JFRSafepointWrite", false);
    }
    Finding finding = only(rule, incident);
    // 3 x (1900 + 90 + 10 + 100) ms, more than a twentieth of the 120 s.
    assertEquals(6.3, value(finding, "observedSeconds"), 1e-9);
    assertTrue(refutes(finding, Hypothesis.SAFEPOINT_STALL));
  }

  @Test
  void dumpsThatGoOnAllTheTimeAreATools() {
    // 60 x 300 ms = 18 s: no one who looks once.
    IncidentBuilder incident = incident();
    for (int second = 60; second < 120; second++) {
      incident.safepoint(second, 0, 300, "PrintThreads", false);
    }
    Finding finding = only(rule, incident);
    assertEquals(18, value(finding, "toolSeconds"), 1e-9);
    assertEquals(1, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
  }

  @Test
  void aHeapDumpCountsUnderItsName() {
    Finding finding = only(rule, incident().safepoint(70, 1, 8000, "HeapDumper", false));
    assertEquals(
        "1 safepoint took 8 s outside GC pauses (13.3 % of the time), longest 8 s "
            + "(HeapDumper)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
  }

  @Test
  void stopsAreSummedUpByWhatTheyWereFor() {
    // 3 x (1 + 400) ms, 10 x (2 + 8) ms, 1 x (5 + 0) ms of a collection, and 4 x 1 ms of a fourth.
    IncidentBuilder incident = incident().safepoint(119, 5, 30, "G1CollectForAllocation", true);
    for (int i = 0; i < 10; i++) {
      incident.safepoint(60 + i, 2, 8, "RedefineClasses", false);
    }
    for (int i = 0; i < 3; i++) {
      incident.safepoint(80 + i, 1, 400, "HeapDumper", false);
    }
    for (int i = 0; i < 4; i++) {
      incident.safepoint(90 + i, 0, 1, "Cleanup", false);
    }
    Finding finding = only(rule, incident);
    assertTrue(
        finding
            .arithmetic()
            .contains(
                "by operation: HeapDumper 1.2 s in 3, RedefineClasses 100 ms in 10,"
                    + " G1CollectForAllocation 5 ms in 1 and 4 ms in 4 others"),
        () -> finding.arithmetic().toString());
  }

  @Test
  void whoAsksForTheCostliestOperationIsToBeFoundUnlessTheWayToTheStopIsLong() {
    String tool = only(rule, everySecond(1, 99, false)).actions().get(Hypothesis.SAFEPOINT_STALL);
    assertTrue(tool.startsWith("find what requests GC_HeapInspection in production"), tool);
    assertEquals(
        Optional.empty(),
        Optional.ofNullable(
            only(rule, everySecond(99, 1, false)).actions().get(Hypothesis.SAFEPOINT_STALL)));
  }

  @Test
  void longStopsWithNothingToDoTellOfAMachineWithoutAFreeCore() {
    // Each takes 60 ms to come to and 60 ms to do nothing.
    IncidentBuilder incident = incident();
    for (int second = 60; second < 120; second++) {
      incident.safepoint(second, 60, 60, "Cleanup", false);
    }
    Finding finding = only(rule, incident);
    assertEquals(0, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
    assertEquals(1, passes(finding, Effect.SAFEPOINT, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void aLoopThatDoesNotLookKeepsTheWayToTheStopLongAndNotTheStop() {
    IncidentBuilder incident = incident();
    for (int second = 60; second < 120; second++) {
      incident.safepoint(second, 120, 0.1, "Cleanup", false).cpu(second, 1, 1);
    }
    assertEquals(
        1, explains(only(rule, incident), Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
  }

  @Test
  void whereLeakedThreadsByTheHundredTakeTheCoresTheLastOneStopsLate() {
    // The same stops, beside 600 threads that never ended and use nine tenths of the CPU.
    Source starts = new Source(RECORDING, "jdk.ThreadStart");
    IncidentBuilder incident = incident().cpus(2);
    for (int second = 60; second < 120; second++) {
      incident
          .safepoint(second, 120, 0.1, "Cleanup", false)
          .cpu(second, 1, 1)
          .sample(new ThreadTurnover(at(second), "reminder-*", "Holds.hold", false, 10, 0, starts))
          .sample(
              new ThreadGroupCpu(
                  at(second), Duration.ofSeconds(1), "reminder-*", Kind.OTHER, 600, 0.9))
          .sample(
              new ThreadGroupCpu(
                  at(second), Duration.ofSeconds(1), "http-*", Kind.REQUEST, 5, 0.1));
    }
    Finding finding = only(rule, incident);
    assertEquals(0, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
    assertEquals(1, passes(finding, Effect.SAFEPOINT, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void aFullMachineWhoseOwnThreadsAreLateIsNoLoop() {
    // To do nothing takes 20 ms, seven slices of the scheduler; to stop all threads 400 ms.
    IncidentBuilder incident = incident();
    for (int second = 60; second < 120; second++) {
      incident.safepoint(second, 400, 20, "Cleanup", false).cpu(second, 0.9, 1);
    }
    Finding finding = only(rule, incident);
    assertEquals(0, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
    assertEquals(1, passes(finding, Effect.SAFEPOINT, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void onAFullMachineThreadsAreLongToStop() {
    IncidentBuilder incident = everySecond(120, 1, true);
    for (int second = 60; second < 120; second++) {
      incident.cpu(second, 0.9, 1);
    }
    assertEquals(1, passes(only(rule, incident), Effect.SAFEPOINT, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void anOperationThatItselfIsLongIsNotTheFullMachines() {
    IncidentBuilder incident = everySecond(0.026, 232, false);
    for (int second = 60; second < 120; second++) {
      incident.cpu(second, 0.9, 1);
    }
    Finding finding = only(rule, incident);
    assertEquals(1, explains(finding, Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT), 1e-9);
    assertEquals(0, passes(finding, Effect.SAFEPOINT, Effect.CPU_QUEUE), 1e-9);
    assertFalse(finding.statement().contains("waited for a core"), finding.statement());
  }
}
