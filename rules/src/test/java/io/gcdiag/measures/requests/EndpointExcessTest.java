package io.gcdiag.measures.requests;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.sketches.LoadSketch.Endpoint;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A minute before the incident, and a minute of it. */
class EndpointExcessTest {

  private static List<EndpointExcess> of(Endpoint... endpoints) {
    return EndpointExcess.of(incident().endpoints(endpoints).build());
  }

  /** 10/s x 0.19 s = 1.9 s lost each second, and 20/s x 0.005 s = 0.1 s: 95 % and 5 % of 2 s. */
  @Test
  void theEndpointWithMostOfTheDelayIsFirst() {
    List<EndpointExcess> slower =
        of(
            new Endpoint("GET /cart", 20, 0.010, 0.015),
            new Endpoint("GET /report", 30, 10, 0.010, 0.200),
            new Endpoint("GET /", 5, 0.010, 0.010));
    assertEquals(
        List.of("GET /report", "GET /cart"),
        slower.stream().map(EndpointExcess::endpoint).toList());
    EndpointExcess most = slower.get(0);
    assertEquals(0.95, most.share(), 1e-9);
    assertEquals(30, most.before().rate().perSecond(), 1e-9);
    assertEquals(10, most.during().rate().perSecond(), 1e-9);
    assertEquals("10 ms -> 200 ms, 95 % of the delay", most.words());
  }

  /** Latencies are known to one percent. Sixty requests have no 99th percentile. */
  @Test
  void percentilesAreThoseOfTheRequestsOfEachWindow() {
    EndpointExcess most =
        of(new Endpoint("GET /report", 30, 1, 0.010, 0.200), new Endpoint("GET /", 5, 0.01, 0.01))
            .get(0);
    assertEquals(0.010, seconds(most.before().median()), 0.0001);
    assertEquals(0.010, seconds(most.before().p99()), 0.0001);
    assertEquals(0.200, seconds(most.during().median()), 0.002);
    assertEquals(Optional.empty(), most.during().p99());
  }

  private static double seconds(Optional<Duration> latency) {
    return Durations.seconds(latency.orElseThrow());
  }

  @Test
  void ofASingleEndpointTheFiguresOfAllRequestsSayAsMuch() {
    assertEquals(List.of(), of(new Endpoint("GET /", 5, 0.010, 0.100)));
  }
}
