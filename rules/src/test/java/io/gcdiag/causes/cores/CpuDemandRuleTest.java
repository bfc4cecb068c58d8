package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.KeyFigure;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.cores.CpuSaturationCause.CpuDemandRule;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadTurnover;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CpuDemandRuleTest {

  private final Rule rule = new CpuDemandRule();

  /** All requests wait: 10 requests a second of 1,100 ms, the shortest 100 ms. */
  private static IncidentBuilder everybodyWaits() {
    return incident().cpus(2).loadTestFrom(100, 1_100).rate(10);
  }

  @Test
  void whatNobodyRecordedIsWaitingForACoreWhileTheCoresAreFull() {
    IncidentBuilder builder = everybodyWaits();
    for (int i = 0; i < 60; i++) {
      builder.cpu(i, 0.2, 0.3).cpu(60 + i, 0.9, 0.99);
    }
    // The figures of a whole test are those of an incident that has no baseline.
    Finding finding = only(rule, builder.withoutBaseline());
    // 1,000 requests lost 1,000 s in 100 s, 600 s of it in these 60 s.
    assertEquals(
        "the cores were fully used 100.0 % of the time, and 10 requests on average "
            + "were delayed by nothing else that is recorded: waiting for CPU can explain "
            + "100.0 % of that",
        finding.statement());
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.CPU_QUEUE), 1e-9);
    assertEquals(1, value(finding, "fullShare"), 1e-9);
    // The service fills them itself.
    assertEquals(1, finding.transfers().get(0).least(), 1e-9);
  }

  /**
   * All requests wait; the JVM and the machine in the first half of the incident and in the other.
   */
  private static IncidentBuilder fullForHalf(
      double jvm, double machine, double jvmThen, double machineThen) {
    IncidentBuilder builder = everybodyWaits();
    for (int i = 0; i < 30; i++) {
      builder.cpu(60 + i, jvm, machine).cpu(90 + i, jvmThen, machineThen);
    }
    return builder.withoutBaseline();
  }

  @Test
  void requestsThatHardlyComputeDoNotQueueForCoresThatAreFullForAPart() {
    // 4 % of two cores for 10 requests a second are 8 ms each, and 25.4 ms while others use 68.5 %.
    // M/M/2: 12.7 % in use, so that work waits 0.0164 times as long as it takes: 0.0042 threads.
    Finding finding = only(rule, fullForHalf(0.04, 0.5, 0.04, 0.95));
    assertEquals(0.0042 / 16.667, passes(finding, Effect.UNACCOUNTED, Effect.CPU_QUEUE), 0.0002);
  }

  @Test
  void requestsThatFillTheCoresForAPartQueueForThem() {
    Finding finding = only(rule, fullForHalf(0.45, 0.5, 0.95, 0.98));
    double queued = passes(finding, Effect.UNACCOUNTED, Effect.CPU_QUEUE);
    assertTrue(queued > 0.1 && queued <= 1, () -> "share " + queued);
  }

  /** Request threads that run and that have no work. */
  private static List<ThreadState> threads(int running, int idle) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < running + idle; i++) {
      ThreadActivity activity = i < running ? ThreadActivity.RUNNING : ThreadActivity.IDLE;
      threads.add(thread("exec-" + i, "RUNNABLE", activity, "", true));
    }
    return threads;
  }

  /** All requests wait while others fill the cores. */
  private static IncidentBuilder crowdedByOthers() {
    IncidentBuilder builder = everybodyWaits();
    for (int i = 0; i < 60; i++) {
      builder.cpu(i, 0.06, 0.3).cpu(60 + i, 0.06, 0.99);
    }
    return builder;
  }

  @Test
  void whereOthersFillTheCoresAQueueThatNothingShowsIsPossibleOnly() {
    Finding finding = only(rule, crowdedByOthers());
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.CPU_QUEUE), 1e-9);
    assertEquals(0, finding.transfers().get(0).least(), 1e-9);
  }

  @Test
  void requestsThatNoDumpShowsRunningDoNotWaitForACoreWhileThreadsAreToSpare() {
    // 16.7 requests at a time; in both dumps one runs and three threads have no work. The JVM's 6 %
    // of two cores is 0.12; at 98 % of them in use that work waits 0.98^2 / (1 - 0.98^2) = 24.25
    // times as long (M/M/2): 2.91 threads.
    Finding finding =
        only(rule, crowdedByOthers().dump(70, threads(1, 3)).dump(100, threads(1, 3)));
    assertEquals(3.91 / 16.667, passes(finding, Effect.UNACCOUNTED, Effect.CPU_QUEUE), 0.005);
  }

  @Test
  void coresThatWereAsFullBeforeAreNoReasonByThemselves() {
    IncidentBuilder builder = everybodyWaits();
    for (int i = 0; i < 60; i++) {
      builder.cpu(i, 0.06, 0.99).cpu(60 + i, 0.06, 0.99);
    }
    assertEquals(0, passes(only(rule, builder), Effect.UNACCOUNTED, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void besideOthersWhoeverGetsACoreAtOnceWaitsNoLongerThanItComputes() {
    IncidentBuilder builder = crowdedByOthers();
    for (int second = 60; second < 120; second++) {
      builder.sample(
          new LateWakes(
              at(second),
              millis(500),
              1,
              millis(0.2),
              millis(1),
              new Source("recording.jfr", "jdk.ThreadPark")));
    }
    // 6 % of two cores are 0.12 threads of the 16.7 requests at a time.
    assertEquals(
        0.12 / 16.667, passes(only(rule, builder), Effect.UNACCOUNTED, Effect.CPU_QUEUE), 1e-4);
  }

  @Test
  void aServiceThatUsesLessThanATurnOfACoreHardlyWaitsForOne() {
    IncidentBuilder builder = everybodyWaits();
    for (int i = 0; i < 60; i++) {
      builder.cpu(i, 0.01, 0.3).cpu(60 + i, 0.01, 0.99);
    }
    // 1 % of two cores: 0.02, each second of it behind the turns of ten others at most.
    assertEquals(
        0.2 / 16.667, passes(only(rule, builder), Effect.UNACCOUNTED, Effect.CPU_QUEUE), 0.0005);
  }

  @Test
  void besideLeakedThreadsByTheHundredItWaitsForMoreTurnsThanTheLoadSays() {
    // The same requests, and 600 threads that never ended and fill the cores.
    Finding finding =
        rule.examine(leaked(everybodyWaits()).build()).stream()
            .filter(one -> one.statement().startsWith("the cores"))
            .findFirst()
            .orElseThrow();
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.CPU_QUEUE), 1e-9);
  }

  private static IncidentBuilder leaked(IncidentBuilder builder) {
    Source starts = new Source("recording.jfr", "jdk.ThreadStart");
    for (int i = 0; i < 60; i++) {
      builder
          .cpu(i, 0.01, 0.3)
          .cpu(60 + i, 0.98, 0.99)
          .sample(new ThreadTurnover(at(60 + i), "poll-*", "Feed.open", false, 10, 0, starts))
          .sample(
              new ThreadGroupCpu(
                  at(60 + i), Duration.ofSeconds(1), "poll-*", Kind.OTHER, 600, 0.97))
          .sample(
              new ThreadGroupCpu(
                  at(60 + i), Duration.ofSeconds(1), "http-*", Kind.REQUEST, 5, 0.01));
    }
    return builder;
  }

  /** They use 97 of 98 % of the JVM's time on two cores, 1.94 of 1.96. */
  @Test
  void theFigureIsWhatTheLeakedThreadsUseAndNotWhatARequestDoes() {
    Finding finding =
        rule.examine(leaked(incident().cpus(2).requests(40, 40)).build()).stream()
            .filter(one -> one.statement().startsWith("a request"))
            .findFirst()
            .orElseThrow();
    assertEquals(
        new KeyFigure("cores that threads without an end use", Optional.of("0"), "1.94"),
        finding.figures().get(0));
  }

  @Test
  void whereNoThreadIsToSpareRequestsMayWaitWhereNoDumpShowsThem() {
    Finding finding =
        only(rule, crowdedByOthers().dump(70, threads(1, 0)).dump(100, threads(1, 0)));
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void requestsThatEachComputeForLongerAreTheServicesOwnWork() {
    // Two cores: 20 % of them for 40 requests a second are 10 ms each, 60 % for 50 are 24 ms.
    Finding finding =
        only(rule, incident().cpus(2).cpu(30, 0.2, 0.3).cpu(90, 0.6, 0.65).requests(40, 50));
    assertEquals("a request uses 24 ms of CPU time (before: 10 ms)", finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CPU_SATURATION, Effect.RUNNING), 1e-9);
  }

  @Test
  void whatTheKernelDoesForThemIsNotTheServicesOwnWork() {
    // From 20 % to 60 % of two cores; 30 of the 40 points are kernel time.
    IncidentBuilder builder = incident().cpus(2).cpu(30, 0.2, 0.3).requests(40, 50);
    builder.timeline().cpu(new CpuLoad(at(90), 0.3, 0.3, 0.65));
    Finding finding = only(rule, builder);
    assertEquals(0.25, explains(finding, Hypothesis.CPU_SATURATION, Effect.RUNNING), 1e-9);
    assertTrue(finding.arithmetic().contains("kernel time: 75.0 % of the growth"));
  }

  @Test
  void moreRequestsThatEachComputeAsLongAsBeforeAreNot() {
    // 20 % for 40 a second and 60 % for 120 are 10 ms each.
    Finding finding =
        only(rule, incident().cpus(2).cpu(30, 0.2, 0.3).cpu(90, 0.6, 0.65).requests(40, 120));
    assertEquals(0, explains(finding, Hypothesis.CPU_SATURATION, Effect.RUNNING), 1e-9);
  }

  @Test
  void whatAWholeRunHidesIsTheServicesOwnWorkAtNoRateOfTheIncident() {
    // 2 cores: 1 % of them are 0.02, and 60 % are 1.2. At 10 requests a second a minute of both
    // makes 61 ms each, and the shortest took 5 ms in all. 1.2 x 60 s / 1,200 are 60 ms.
    Finding finding =
        only(
            rule,
            incident().cpus(2).cpu(30, 0.01, 0.1).cpu(90, 0.6, 0.65).loadTest(10, 5, 300, 400));
    assertEquals(
        "requests use 1.2 cores (before: 0.02); a request uses at least 60 ms of CPU time, were all"
            + " 1,200 of the load test in the incident",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CPU_SATURATION, Effect.RUNNING), 1e-9);
    assertFalse(finding.values().containsKey("requestsPerSecond"));
  }

  @Test
  void coresWithRoomMakeNobodyWait() {
    IncidentBuilder builder = everybodyWaits();
    for (int i = 0; i < 120; i++) {
      builder.cpu(i, 0.3, 0.6);
    }
    assertSilent(rule, builder);
  }

  @Test
  void withoutRequestsOverTimeTheirCostCannotBeCompared() {
    // Twice the CPU may be twice the requests.
    assertTrue(
        rule.examine(incident().cpus(2).cpu(30, 0.2, 0.3).cpu(90, 0.4, 0.5).rate(100).build())
            .isEmpty());
  }
}
