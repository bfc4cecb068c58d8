package io.gcdiag.measures;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu.Kind;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CoreQueueTest {

  private static final double TINY = 1e-6;

  private static IncidentBuilder full(double jvm, double machine) {
    IncidentBuilder builder = incident().cpus(2);
    for (int i = 0; i < 60; i++) {
      builder.cpu(i, jvm / 2, machine / 2).cpu(60 + i, jvm, machine);
    }
    return builder;
  }

  @Test
  void fullCoresMakeAtLeastTheQueueOfNineTenths() {
    // Two cores, 90 % in use: a = 1.8; Erlang's C = 2 x 0.81 / 1.9 = 0.852632; a wait of
    // C / (2 x 0.1) = 4.263158 s for each second of work. 1.8 cores of work: 7.673684 threads.
    MeasuredIncident incident = full(0.9, 1).build();
    assertEquals(
        1.8 * 0.852632 / 0.2,
        CoreQueue.atLeast(incident.timeline(), IncidentBuilder.TROUBLE),
        1e-4);
    assertEquals(0, CoreQueue.atLeast(incident.timeline(), IncidentBuilder.CALM), TINY);
    EffectTimes times = incident.effects();
    assertEquals(7.673684, times.during(Effect.CPU_QUEUE), 1e-4);
  }

  @Test
  void whatOthersMayUseOfTheOnlyCpuCanMakeAQueue() {
    // The JVM has a fifth of one CPU of two; others use one CPU, that one or the other. Up to 98 %
    // in use: 0.2 x 0.98 / 0.02 = 9.8 threads. None is known to wait.
    IncidentBuilder builder =
        incident().cpus(1).sample(new HardwareThreads(IncidentBuilder.at(0), 2));
    for (int i = 60; i < 120; i++) {
      builder.cpu(i, 0.1, 0.6);
    }
    Timeline timeline = builder.build().timeline();
    assertEquals(9.8, CoreQueue.atMost(timeline, IncidentBuilder.TROUBLE), 1e-6);
    assertEquals(0, CoreQueue.atLeast(timeline, IncidentBuilder.TROUBLE), TINY);
  }

  @Test
  void requestsAreNotKnownToQueueForCoresThatOtherWorkFills() {
    // Request threads have a tenth of what the service's threads use: they wake, and get their
    // turn.
    assertEquals(0, filledByReports().build().effects().during(Effect.CPU_QUEUE), TINY);
  }

  @Test
  void workThatNoUserWaitsForDoesNotQueueForUsers() {
    // The same, with threads that were seen to get a core late: a tenth of the queue is users'.
    MeasuredIncident incident = filledByReports().sample(wakes(80, 40)).build();
    assertEquals(0.7673684, incident.effects().during(Effect.CPU_QUEUE), 1e-4);
  }

  private static IncidentBuilder filledByReports() {
    return full(0.9, 1)
        .sample(group("http-nio-*-exec-*", Kind.REQUEST, 0.09))
        .sample(group("report-*", Kind.OTHER, 0.81));
  }

  private static ThreadGroupCpu group(String name, Kind kind, double share) {
    return new ThreadGroupCpu(IncidentBuilder.at(80), Duration.ofSeconds(10), name, kind, 4, share);
  }

  @Test
  void nobodyQueuesWhereHardlyAnyCoreIsUsed() {
    MeasuredIncident incident = full(0.3, 0.4).build();
    assertEquals(0, incident.effects().during(Effect.CPU_QUEUE), TINY);
  }

  @Test
  void aLatencyThatIsKnownGoesBeforeAModel() {
    // The load test says that no request waited.
    MeasuredIncident incident = full(0.9, 1).loadTestFrom(100, 100).rate(10).build();
    assertEquals(0, incident.effects().during(Effect.CPU_QUEUE), TINY);
  }

  /** The service has a tenth of the machine, others nearly all the rest. */
  private static IncidentBuilder fullOfOthers() {
    return full(0.1, 1);
  }

  private static LateWakes wakes(double second, double lateMillis) {
    return new LateWakes(
        IncidentBuilder.at(second),
        Duration.ofMillis(100),
        20,
        IncidentBuilder.millis(20 * lateMillis),
        IncidentBuilder.millis(lateMillis),
        new Source(IncidentBuilder.RECORDING, "jdk.ThreadSleep"));
  }

  @Test
  void othersOnTheCoresAreNoProofThatAnybodyWaited() {
    EffectTimes times = fullOfOthers().build().effects();
    assertEquals(0, times.during(Effect.CPU_QUEUE), TINY);
    MeasuredIncident inTime = fullOfOthers().sample(wakes(80, 0.2)).build();
    assertEquals(0, inTime.effects().during(Effect.CPU_QUEUE), TINY);
  }

  @Test
  void requestsBehindThreadsThatDoNotRunDoNotWaitForCpu() {
    // Of 200 threads at work 2 run: of 50 requests behind them half a one waits for CPU.
    MeasuredIncident incident =
        incident().dump(70, 150, 48, 2, 0).dump(80, 150, 48, 2, 0).dump(90, 150, 48, 2, 0).build();
    assertEquals(2.5, CoreQueue.mostInDumps(incident, 50), 1e-9);
    assertEquals(
        Double.POSITIVE_INFINITY,
        CoreQueue.mostInDumps(incident().dump(70, 150, 48, 2, 0).build(), 50));
  }

  @Test
  void threadsThatGotACoreLateAreOne() {
    // 0.2 cores of work, each second of which waits 4.263158 s at 90 % of two cores.
    MeasuredIncident late = fullOfOthers().sample(wakes(80, 5)).build();
    assertEquals(0.8526316, late.effects().during(Effect.CPU_QUEUE), 1e-4);
  }

  @Test
  void aQueueBeforeCoresThatWereFullIsNewIfThreadsGotThemInTimeBefore() {
    // Full in both windows; a dump of the incident finds 12 threads that run on two cores.
    EffectTimes same = fullBefore().build().effects();
    assertEquals(10, same.during(Effect.CPU_QUEUE), TINY);
    assertEquals(10, same.before(Effect.CPU_QUEUE).orElseThrow(), TINY);
    EffectTimes late = fullBefore().sample(wakes(80, 5)).build().effects();
    assertEquals(10, late.during(Effect.CPU_QUEUE), TINY);
    assertEquals(0, late.before(Effect.CPU_QUEUE).orElseThrow(), TINY);
  }

  private static IncidentBuilder fullBefore() {
    IncidentBuilder builder = incident().cpus(2).dump(85, 0, 0, 12, 0);
    for (int second = 0; second < 120; second++) {
      builder.cpu(second, 0.1, 1);
    }
    return builder;
  }
}
