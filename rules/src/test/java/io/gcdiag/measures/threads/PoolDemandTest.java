package io.gcdiag.measures.threads;

import static io.gcdiag.sketches.IncidentBuilder.CALM;
import static io.gcdiag.sketches.IncidentBuilder.TROUBLE;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolDemandTest {

  /** 10 calls of 40 ms a second in the baseline, and 50 in the incident. */
  private static MeasuredIncident calls(double rate) {
    return incident()
        .recorded(Signal.SOCKET_READS, 1)
        .waits(600, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 40)
        .waits(3_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 40)
        .rate(rate)
        .build();
  }

  @Test
  void theOperatorsRateIsThatOfTheIncident() {
    assertEquals(50, PoolDemand.rate(calls(50), TROUBLE).orElseThrow().value().perSecond(), 1e-9);
    assertEquals(10, PoolDemand.rate(calls(50), CALM).orElseThrow().value().perSecond(), 1e-9);
  }

  @Test
  void aHoldOfTheBaselineIsByItsOwnCallsHoweverManyTheIncidentHas() {
    // By 50 a second in both windows it would be 10 / 50 x 40 ms = 8 ms.
    assertEquals(Duration.ofMillis(40), PoolDemand.hold(calls(50), CALM).orElseThrow().value());
  }

  /**
   * 20 calls a second are long enough for events, however many there are: times the mean latency of
   * the load test, 50 ms, it is no bound of the demand.
   */
  @Test
  void theLatencyOfTheLoadTestIsNoHoldForCallsOfWhichSomeAreRecorded() {
    IncidentBuilder recorded =
        incident()
            .recorded(Signal.SOCKET_READS, 1)
            .waits(1_200, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 40);
    assertEquals(Optional.empty(), PoolDemand.hold(recorded.loadTest(55, 50).build(), CALM));
    IncidentBuilder unseen = incident().loadTest(55, 50);
    assertEquals(
        Duration.ofMillis(50), PoolDemand.hold(unseen.build(), CALM).orElseThrow().value());
  }
}
