package io.gcdiag.measures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.verdict.Scene;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a summary of a whole load test hides of requests that compute longer than before. */
class CpuPerRequestTest {

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
}
