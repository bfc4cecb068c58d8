package io.gcdiag.rules;

import static io.gcdiag.rules.IncidentBuilder.incident;
import static io.gcdiag.rules.PauseSketch.full;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.AllocationStalls;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.ledger.Effect;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StandstillTest {

  private static Standstill flow(IncidentBuilder builder) {
    return Standstill.of(builder.build()).orElseThrow();
  }

  @Test
  void requestsQueueWhileAllStandsStillAndAreServedAfter() {
    // 20 steps of 10 arrivals: (10 + ... + 200) x 0.1 s = 210 s. Then 100 less each of two steps,
    // less 10 that arrive: (110 + 20) x 0.1 s = 13 s at most.
    Standstill flow = flow(incident().rate(100).pause(full(70, 2000)));
    assertEquals(2, flow.blockedSeconds().get(Effect.STOPPED), 1e-6);
    assertEquals(223, flow.waitedSeconds(), 1);
  }

  @Test
  void aServiceThatRunsMostOfTheTimeKeepsUp() {
    // Half of each second stopped, a tenth of the capacity needed: what queues is served at once.
    Standstill flow = flow(incident().rate(100).pauses(60, 60, 120, full(0, 50)));
    assertEquals(0, flow.waitedSeconds(), 1e-6);
  }

  @Test
  void aBusierServiceTakesLongerToCatchUp() {
    // Half of its capacity is needed: 200 queue, and 100 a second more than arrive are served.
    Standstill flow = flow(incident().rate(100).cpu(30, 0.5, 0.6).pause(full(70, 2000)));
    assertEquals(210 + 190, flow.waitedSeconds(), 5);
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
    assertEquals(Optional.empty(), Standstill.of(incident().pause(full(70, 2000)).build()));
  }
}
