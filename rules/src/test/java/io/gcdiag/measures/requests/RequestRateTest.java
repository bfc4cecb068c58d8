package io.gcdiag.measures.requests;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestRateTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Eight threads that had 60 rounds of work a second in the baseline. */
  private static IncidentBuilder rounds(boolean serving) {
    Latencies.Counter sixty = new Latencies.Counter();
    for (int i = 0; i < 60; i++) {
      sixty.add(millis(50));
    }
    Latencies latencies = sixty.latencies();
    IncidentBuilder incident = incident();
    for (int second = 0; second < 60; second++) {
      incident
          .sample(new WorkRounds(at(second), SECOND, "http-N", latencies, latencies))
          .sample(
              new WorkerTime(
                  at(second), SECOND, "http-N", serving, 8, 0, Map.of(WaitKind.IDLE, 5.0)));
    }
    return incident;
  }

  @Test
  void aWholeRunBoundsByWhatTheIncidentIsBusierThanTheWorkersOfTheBaseline() {
    // 12,000 requests altogether: no more than 200 a second in the minute of the incident.
    assertEquals(
        200 / 60.0, RequestRate.busierAtMost(rounds(true).loadTest(100, 10).build()), 1e-9);
  }

  @Test
  void whatTheOperatorSaysOfTheIncidentBoundsItToo() {
    assertEquals(165 / 60.0, RequestRate.busierAtMost(rounds(true).rate(165).build()), 1e-9);
  }

  @Test
  void countedOverTimeItIsKnown() {
    assertEquals(3, RequestRate.busierAtMost(rounds(true).requests(50, 150).build()), 1e-9);
  }

  @Test
  void roundsOfOtherThreadsAreNoRequests() {
    double unknown = Double.POSITIVE_INFINITY;
    assertEquals(unknown, RequestRate.busierAtMost(rounds(false).loadTest(100, 10).build()));
    assertEquals(unknown, RequestRate.busierAtMost(rounds(true).build()));
    assertEquals(
        unknown, RequestRate.busierAtMost(rounds(true).withoutBaseline().rate(165).build()));
  }
}
