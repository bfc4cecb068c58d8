package io.gcdiag.measures.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.diagnosis.Scene;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.machine.HardwareThreads;
import java.util.OptionalDouble;
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

  private static OptionalDouble hidden(Scene scene) {
    Incident incident = scene.incidentFrom(60);
    return CpuPerRequest.hiddenInWholeRun(incident);
  }

  @Test
  void aMeanOverBothTimesHidesCpuTimeThatCannotBeThatOfMoreRequests() {
    // 1.2 cores less 0.05, at 50 requests a second: 23 ms each. Over both minutes a request
    // computes
    // (1.2 + 0.05) / 2 / 50 = 12.5 ms, and the shortest took 0.8 ms altogether.
    OptionalDouble more = hidden(computing().load(50, 32, 26, 191, 0.8));
    assertEquals(0.023, more.getAsDouble(), 1e-9);
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
