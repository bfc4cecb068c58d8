package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointRecorderTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final EndpointRecorder recorder = new EndpointRecorder();

  private List<String> names() {
    return recorder.series().stream().map(EndpointSeries::endpoint).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "GET http://shop:8080/orders/4711?page=2#top, GET /orders/{id}",
    "GET /orders/123e4567-e89b-12d3-a456-426614174000/lines, GET /orders/{id}/lines",
    "https://shop/v2/items/00af3c9be12f4d77aa01, /v2/items/{id}",
    "GET http://shop:8080, GET /",
    "GET /v2/international-shipments, GET /v2/international-shipments",
    "Checkout, Checkout",
    "Step #1 Browse, Step #1 Browse",
    "GET /cart;jsessionid=1A2b?x=1, GET /cart",
    "GET /?page=2, GET /",
    "GET /orders/?page=2, GET /orders/",
    "GET /orders/?/lines/?, GET /orders/{id}/lines/{id}",
    "GET /?, GET /",
    "GET /reset/AbC-12_x9.Yz01kLmN, GET /reset/{id}"
  })
  void hostsQueriesAndValuesAreNoPartOfAName(String written, String endpoint) {
    recorder.add(START, Duration.ofMillis(1), written);
    assertEquals(List.of(endpoint), names());
  }

  @Test
  void aMethodStandsInFrontOfAPathOnly() {
    assertEquals("GET /a", EndpointRecorder.name("GET", "/a"));
    // k6 calls the method of a gRPC call so.
    assertEquals("/pkg.Stock/Get", EndpointRecorder.name("Get", "/pkg.Stock/Get"));
    assertEquals("", EndpointRecorder.name("GET", ""));
  }

  @Test
  void whatComesAfterTheHundredthNameIsCountedTogether() {
    for (int i = 0; i < 150; i++) {
      recorder.add(START, Duration.ofSeconds(2), "step " + i);
    }
    assertEquals(EndpointRecorder.MOST_ENDPOINTS + 1, names().size());
    EndpointSeries others =
        recorder.series().stream()
            .filter(one -> one.endpoint().equals(EndpointSeries.OTHERS))
            .findFirst()
            .orElseThrow();
    assertEquals(List.of(new Slot(START, 50, 100)), others.slots());
  }

  private static double millis(EndpointSeries series, double from, double to, double percentile) {
    Window window = new Window(at(from), at(to));
    Duration value = series.latencies(window).percentile(percentile).orElseThrow().value().get();
    return value.toNanos() / 1e6;
  }

  private static Instant at(double second) {
    return START.plusMillis(Math.round(1_000 * second));
  }

  /** Of a hundred requests in the first second two take 500 ms, in the next one all take 20 ms. */
  @Test
  void percentilesAreThoseOfWholeSecondsInsideAWindow() {
    for (int i = 0; i < 100; i++) {
      recorder.add(START, Duration.ofMillis(i < 98 ? 10 : 500), "a");
      recorder.add(START.plusSeconds(1), Duration.ofMillis(20), "a");
    }
    EndpointSeries series = recorder.series().get(0);
    assertEquals(10, millis(series, 0, 1, 50), 0.1);
    assertEquals(500, millis(series, 0, 1, 99), 5);
    assertEquals(20, millis(series, 0.5, 2, 99), 0.2);
    assertEquals(20, millis(series, 0, 2, 98), 0.2);
    assertEquals(0, series.latencies(new Window(at(0.1), at(1.9))).count());
  }

  /**
   * A thousand ranges of one percent in each second are more than are kept: latencies are then
   * known by four seconds, sums still by the second.
   */
  @Test
  void veryDifferentLatenciesAreKeptForLongerIntervals() {
    EndpointRecorder one = new EndpointRecorder();
    EndpointRecorder other = new EndpointRecorder();
    for (int second = 0; second < 600; second++) {
      for (int range = 1_000; range < 2_000; range++) {
        (second < 300 ? one : other).add(START.getEpochSecond() + second, 1_000_000, range, "a", 1);
      }
    }
    one.addAll(other);
    EndpointSeries series = one.series().get(0);
    assertEquals(600, series.slots().size());
    assertEquals(150, series.spreads().size());
    assertEquals(4_000, series.latencies(new Window(at(0), at(7))).count());
    assertEquals(600_000, series.latencies(new Window(at(0), at(600))).count());
  }

  @Test
  void aLongTestHasWiderSlotsAndTheSameSums() {
    for (int second = 0; second < 7_200; second++) {
      recorder.add(START.plusSeconds(second), Duration.ofMillis(500), "a");
    }
    List<Slot> slots = recorder.series().get(0).slots();
    assertTrue(slots.size() <= 1_800, () -> "" + slots.size());
    assertEquals(7_200, slots.stream().mapToLong(Slot::requests).sum());
    assertEquals(3_600, slots.stream().mapToDouble(Slot::latencySeconds).sum(), 1e-6);
  }
}
