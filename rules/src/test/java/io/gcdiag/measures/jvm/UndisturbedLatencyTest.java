package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Durations;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UndisturbedLatencyTest {

  @Test
  void ofASummaryTheSlowestAreSetAside() {
    // The incident is half of the test; a fifth of its requests were touched, a tenth of all.
    UndisturbedLatency latency =
        UndisturbedLatency.of(incident().loadTest(100, 5, 6, 400).build(), 0.2).orElseThrow();
    assertFalse(latency.isMeasured());
    // 99 % of nine tenths is 89.1 % of all, between P50 and P99: ln(1 / 0.109) = 2.216 lies 38.9 %
    // of the way from 0.693 to 4.605, and 6 x (400 / 6)^0.389 = 30.8 ms.
    assertEquals(30.8, Durations.millis(latency.at(0.99)), 0.1);
    assertEquals(millis(6), latency.atLeast(0.99));
    assertEquals(millis(400), latency.atMost(0.99));
    assertEquals(millis(5), latency.atLeast(0.3));
  }

  @Test
  void aMeasuredBaselineIsTakenAsItIs() {
    UndisturbedLatency latency =
        UndisturbedLatency.of(incident().requests(100, 8, 900).build(), 1).orElseThrow();
    assertTrue(latency.isMeasured());
    assertEquals(8, Durations.millis(latency.at(0.5)), 0.1);
    assertEquals(8, Durations.millis(latency.atMost(0.99)), 0.1);
    assertEquals("latencies in the baseline, 6,000 requests", latency.basis());
  }

  @Test
  void ofASummaryARecordingsRoundsOfWorkTellTheBaseline() {
    IncidentBuilder incident = incident().recorded(Signal.THREAD_PARKS, 20).loadTest(100, 5, 90);
    Latencies.Counter rounds = new Latencies.Counter();
    Latencies.Counter rests = new Latencies.Counter();
    for (int i = 0; i < 100; i++) {
      rounds.add(millis(12));
      rests.add(millis(400));
    }
    for (int second = 0; second < 60; second++) {
      incident.sample(
          new WorkRounds(
              IncidentBuilder.at(second),
              Duration.ofSeconds(1),
              "exec-N",
              rounds.latencies(),
              rests.latencies()));
    }
    UndisturbedLatency latency = UndisturbedLatency.of(incident.build(), 1).orElseThrow();
    assertTrue(latency.isMeasured());
    assertEquals(12, Durations.millis(latency.atLeast(0.99)), 0.2);
    // A quarter more on the way.
    assertEquals(15, Durations.millis(latency.atMost(0.99)), 0.2);
    assertEquals(
        "busy time of workers per request in the baseline, 6,000 requests", latency.basis());
  }

  @Test
  void withoutALoadTestNothingIsKnown() {
    assertTrue(UndisturbedLatency.of(incident().rate(100).build(), 0.5).isEmpty());
  }
}
