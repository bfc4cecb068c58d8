package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import org.junit.jupiter.api.Test;

/** A busier service spends more time in calls; only slower calls are lost time. */
class SlowerCallsTest {

  private static double excess(MeasuredIncident incident) {
    return incident.effects().excessSeconds(Effect.DOWNSTREAM_WAIT);
  }

  @Test
  void threeTimesTheCallsThatAreAsFastAsEverAreNoExcess() {
    MeasuredIncident busier =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .waits(100, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 60)
            .waits(300, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 60)
            .build();
    assertEquals(0, excess(busier), 0.05);
  }

  @Test
  void asManyCallsThatTakeThreeTimesAsLongAre() {
    // 100 x (180 - 60) ms = 12 s.
    MeasuredIncident slower =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .waits(100, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 60)
            .waits(100, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 180)
            .build();
    assertEquals(12, excess(slower), 0.2);
  }

  @Test
  void callsThatWereTooShortToBeSeenBeforeAreAllExcess() {
    MeasuredIncident appeared =
        incident()
            .recorded(Signal.SOCKET_READS, 20)
            .waits(100, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 180)
            .build();
    assertEquals(18, excess(appeared), 0.2);
  }

  @Test
  void aThresholdThatCutsThroughTheCallsHidesTheirMean() {
    // 25 ms lies just above 20 ms: most calls are not seen, and more of them show when they slow
    // down.
    MeasuredIncident cut =
        incident()
            .recorded(Signal.SOCKET_READS, 20)
            .waits(20, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 25)
            .waits(400, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 26)
            .build();
    assertTrue(excess(cut) > 8, "400 x 26 ms - 20 x 25 ms = 9.9 s");
  }

  @Test
  void aRiseOfTrafficThatTheThresholdCutsThroughIsStillTraffic() {
    MeasuredIncident busier =
        incident()
            .recorded(Signal.SOCKET_READS, 20)
            .waits(100, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 21)
            .waits(260, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 21)
            .build();
    assertEquals(0, excess(busier), 0.05);
  }
}
