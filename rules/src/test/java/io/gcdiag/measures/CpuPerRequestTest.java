package io.gcdiag.measures;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** CPU time per request, and what a summary of a whole load test hides of it. */
class CpuPerRequestTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Two cores; the JVM's share of them is 2.5 % for a minute, and 60 % for another. */
  private static Scene computing() {
    return Scene.of(120)
        .samples(new HardwareThreads(Scene.at(0), 2))
        .cpu(0, 60, 0.025, 0.1)
        .cpu(60, 120, 0.6, 0.75);
  }

  private static Optional<CpuPerRequest> hidden(Scene scene) {
    return CpuPerRequest.hiddenInWholeRun(scene.incidentFrom(60));
  }

  private static EffectTimes times(Scene scene) {
    return scene.incidentFrom(60).effects();
  }

  @Test
  void aMeanOverBothTimesHidesCpuTimeThatCannotBeThatOfMoreRequests() {
    // 1.2 cores less 0.05, at 50 requests a second: 23 ms each. Over both minutes a request
    // computes
    // (1.2 + 0.05) / 2 / 50 = 12.5 ms, and the shortest took 0.8 ms altogether.
    CpuPerRequest computing = hidden(computing().load(50, 32, 26, 191, 0.8)).orElseThrow();
    assertEquals(0.024, computing.duringSeconds(), 1e-9);
    assertEquals(0.001, computing.beforeSeconds(), 1e-9);
    assertEquals(0.023, computing.moreSeconds(), 1e-9);
  }

  @Test
  void whatRequestsComputeMoreIsLostToComputing() {
    // 1.15 cores more for 60 s are 69 s. The run's 6,000 requests of 60 ms less 26 ms lost 204 s.
    EffectTimes times = times(computing().load(50, 60, 26, 191, 0.8));
    assertEquals(69, times.excessSeconds(Effect.RUNNING), 1e-9);
    assertEquals(135, times.excessSeconds(Effect.UNACCOUNTED), 1e-9);
  }

  @Test
  void noMoreIsLostToComputingThanRequestsLostBesideTheirWaits() {
    // The run's 6,000 requests of 32 ms less 26 ms lost 36 s, 5 s of it in a pool's queue.
    Scene scene = computing().load(50, 32, 26, 191, 0.8).waiting(WaitKind.POOL, "P", 70, 75, 1);
    EffectTimes times = times(scene);
    assertEquals(5, times.excessSeconds(Effect.POOL_WAIT), 1e-9);
    assertEquals(31, times.excessSeconds(Effect.RUNNING), 1e-9);
    assertEquals(36, times.totalExcessSeconds(), 1e-9);
  }

  @Test
  void moreRequestsOfTheSameCostAreNothingHidden() {
    // The shortest request takes 5 ms: 12.5 ms of CPU time each may be what they always cost.
    assertTrue(hidden(computing().load(50, 32, 26, 191, 5)).isEmpty());
  }

  @Test
  void whatNobodyFeelsIsNotHidden() {
    // 1.15 cores more at 1,000 requests a second are 1.15 ms each.
    assertTrue(hidden(computing().load(1_000, 32, 26, 191, 0.05)).isEmpty());
  }

  /**
   * Ten requests a second of 20 ms each on threads that serve, in both minutes; the machine's two
   * cores are used to 10 %, then to 70 %.
   *
   * @param rest how long a thread is idle between two of them
   */
  private static IncidentBuilder serving(Duration rest) {
    IncidentBuilder builder = IncidentBuilder.incident().cpus(2);
    Latencies.Counter lengths = new Latencies.Counter();
    Latencies.Counter rests = new Latencies.Counter();
    for (int i = 0; i < 10; i++) {
      lengths.add(millis(20));
      rests.add(rest);
    }
    for (int second = 0; second < 120; second++) {
      double share = second < 60 ? 0.1 : 0.7;
      builder
          .cpu(second, share, share)
          .sample(
              new WorkerTime(at(second), SECOND, "http-N", true, 8, 0, Map.of(WaitKind.IDLE, 6.0)))
          .sample(
              new WorkRounds(at(second), SECOND, "http-N", lengths.latencies(), rests.latencies()));
    }
    return builder;
  }

  @Test
  void roundsOfTheThreadsThatServeAreTheRequestsThatNoFileCounts() {
    // 2 x 0.1 cores for ten a second are 20 ms each, 2 x 0.7 cores are 140 ms.
    CpuPerRequest computing = CpuPerRequest.of(serving(millis(500)).build()).orElseThrow();
    assertEquals(0.02, computing.beforeSeconds(), 1e-9);
    assertEquals(0.14, computing.duringSeconds(), 1e-9);
  }

  @Test
  void roundsAreNoneWhereTwoRequestsMayBeOneOrAFileCountsThem() {
    // Rests hardly longer than the shortest that is recorded: as many are shorter.
    IncidentBuilder quick = serving(millis(12)).recorded(Signal.THREAD_PARKS, 10);
    assertTrue(CpuPerRequest.of(quick.build()).isEmpty());
    assertTrue(CpuPerRequest.of(serving(millis(500)).rate(10).build()).isEmpty());
  }
}
