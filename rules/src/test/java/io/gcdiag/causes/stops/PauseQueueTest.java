package io.gcdiag.causes.stops;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.causes.stops.StandstillQueueRule.PauseQueue;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PauseQueueTest {

  private static PauseQueue flow(IncidentBuilder builder) {
    return PauseQueue.of(builder.build()).orElseThrow();
  }

  @Test
  void requestsQueueWhileAllStandsStillAndAreServedAfter() {
    // 200 arrive in 2 s and wait for half of it: 200 s. Then 1,000 a second are served, of which
    // 100
    // arrive: 200 / 900 s x 200 / 2 = 22.2 s.
    PauseQueue flow = flow(incident().rate(100).pause(full(70, 2000)));
    assertEquals(2, flow.blockedSeconds().get(Effect.STOPPED), 1e-6);
    assertEquals(200 + 22.2, flow.waitedSeconds(), 0.1);
  }

  @Test
  void aServiceThatRunsMostOfTheTimeKeepsUp() {
    // In each pause of 50 ms 5 arrive, and are served in 5 / 900 s: 60 x 5 / 2 x 0.0556 s = 8.3 s.
    PauseQueue flow = flow(incident().rate(100).pauses(60, 60, 120, full(0, 50)));
    assertEquals(60 * 2.5 * (0.05 + 5 / 900.0), flow.waitedSeconds(), 1e-6);
  }

  @Test
  void aBusierServiceTakesLongerToCatchUp() {
    // Half of its capacity is needed: 200 queue, and 100 a second more than arrive are served.
    PauseQueue flow = flow(incident().rate(100).cpu(30, 0.5, 0.6).pause(full(70, 2000)));
    assertEquals(200 + 200, flow.waitedSeconds(), 1e-3);
  }

  @Test
  void threadsThatWaitForMemoryAreAServiceThatStandsStill() {
    IncidentBuilder builder = incident().rate(100);
    for (int i = 0; i < 4; i++) {
      builder.waited(WaitKind.ALLOCATION_STALL, AllocationStalls.COLLECTOR, 70, 2000);
    }
    assertEquals(2, flow(builder).blockedSeconds().get(Effect.ALLOCATION_STALL), 1e-6);
  }

  @Test
  void withoutARateThereIsNoFlow() {
    assertEquals(Optional.empty(), PauseQueue.of(incident().pause(full(70, 2000)).build()));
  }
}
