package io.gcdiag.loadtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.loadtests.Correlations.Lead;
import io.gcdiag.loadtests.Correlations.Lead.Verdict;
import io.gcdiag.loadtests.Correlations.OfEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A load test's requests, and the pauses of a log, in correlations. */
class RequestsInCorrelationsTest extends CorrelationScene {

  @Test
  void pausesAreHeldAgainstTheTailOfTheRequests() {
    int[] stopped = new Random(15).ints(30, 10, 500).toArray();
    List<GcPause> pauses = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      pauses.add(pause(START.plusSeconds(10L * i + 3), stopped[i]));
    }
    // The log ends after 250 s: of the last five intervals it knows nothing.
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(requests(30, i -> 200, i -> 50 + stopped[i]))
            .pauses("gc.log", pauses)
            .log(new Window(START.minusSeconds(5), START.plusSeconds(250)))
            .build();
    Correlations result = Correlator.correlate(timeline, P95);
    Lead lead = lead(result, "time stopped in GC pauses");
    assertEquals(25, lead.intervals());
    // Latencies are kept to one percent.
    assertTrue(lead.strength().orElseThrow().pearson() > 0.99);
    assertEquals(Verdict.MOVES, lead.verdict());
    assertEquals("gc.log", lead.source().toString());
    assertTrue(
        result.notes().get(0).startsWith("left out because they do not vary: requests per second"),
        result.notes()::toString);
  }

  /** Ten requests in each interval but the first, which has four and so no mean. */
  private static EndpointSeries endpoint(String name, double[] seconds) {
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      int requests = i == 0 ? 4 : 10;
      slots.add(new Slot(START.plusSeconds(10L * i), requests, requests * seconds[i]));
    }
    return new EndpointSeries(name, slots, List.of());
  }

  /** A reading is of the ten seconds before it: that of an interval comes with the next one. */
  private static double[] read(double[] latency) {
    return values(latency.length + 1, i -> i == 0 ? 0 : 7 * latency[i - 1]);
  }

  @Test
  void eachEndpointIsHeldAgainstEverySeries() {
    double[] cart = values(30, i -> 1 + 0.1 * noise(21, 30)[i]);
    double[] stock = values(30, i -> 2 + 0.1 * noise(22, 30)[i]);
    double[] rare = values(30, i -> 0.1);
    RequestSeries all = requests(30, i -> 200, i -> 50 + (37 * i) % 100);
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(
                new RequestSeries(
                    all.producer(),
                    all.step(),
                    all.intervals(),
                    List.of(
                        endpoint("GET /cart", cart),
                        endpoint("GET /health", rare),
                        endpoint("GET /stock", stock)),
                    all.source()))
            .metric(other("lag of carts", read(cart)))
            .metric(other("lag of stocks", read(stock)))
            .build();
    List<OfEndpoint> endpoints = Correlator.correlate(timeline, P95).endpoints();
    assertEquals(
        List.of("GET /stock [lag of stocks]", "GET /cart [lag of carts]", "GET /health []"),
        endpoints.stream()
            .map(one -> one.endpoint() + " " + one.leads().stream().map(Lead::name).toList())
            .toList());
    Lead lead = endpoints.get(0).leads().get(0);
    assertEquals(1, lead.strength().orElseThrow().pearson(), 1e-9);
    assertEquals(29, lead.intervals());
  }

  @Test
  void intervalsWithFewRequestsHaveNoPercentile() {
    // Of 100 requests five lie beyond P95, of 90 only 4.5.
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(requests(30, i -> i < 4 ? 90 : 200, i -> 50 + 7 * i))
            .build();
    Correlations result = Correlator.correlate(timeline, P95);
    assertEquals(26, result.basis().orElseThrow().intervalsKnown());
    assertEquals(
        "4 of 30 intervals are left out: with fewer than 100 requests they have no P95",
        result.notes().get(0));
    assertTrue(
        result.notes().stream().anyMatch(note -> note.startsWith("not in the files: GC pauses")),
        result.notes()::toString);
  }

  @Test
  void theLatencyOfMetricsIsNotHeldAgainstThatOfTheLoadTest() {
    double[] latency = noise(16, 30);
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(requests(30, i -> 200, i -> 50 + i * i))
            .metric(tail(latency))
            .build();
    Correlations result = Correlator.correlate(timeline, P95);
    assertTrue(result.leads().isEmpty(), result.leads()::toString);
    assertTrue(
        result.notes().stream().anyMatch(note -> note.startsWith("latencies of the metric")),
        result.notes()::toString);
  }

  @Test
  void aBucketIsSaidToBeNoValue() {
    TreeMap<Duration, Long> fast = new TreeMap<>(Map.of(Duration.ofMillis(100), 200L));
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      Latencies latencies = Latencies.ofBuckets(fast, i % 3 == 0 ? 100 : 0);
      intervals.add(
          new RequestInterval(
              START.plusSeconds(10L * i), Duration.ofSeconds(10), latencies.count(), 0, latencies));
    }
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(
                new RequestSeries(
                    "metrics", Duration.ofSeconds(10), intervals, new Source("m.json", "")))
            .build();
    Correlations result = Correlator.correlate(timeline, P95);
    assertTrue(
        result.notes().get(0).startsWith("P95 is known as a bucket of a histogram only"),
        result.notes()::toString);
    // 100 requests more when the tail is slow.
    assertEquals(1, lead(result, "requests per second").strength().orElseThrow().pearson(), 1e-9);
  }

  @Test
  void percentilesAreWrittenInSeveralWays() {
    TreeSet<String> names = new TreeSet<>();
    List.of("p95", "P95", "95", "95.0").forEach(text -> names.add(Percentile.parse(text) + ""));
    assertEquals(new TreeSet<>(List.of("P95")), names);
    assertEquals("P99.99", Percentile.parse("p99.99").toString());
    for (String wrong : List.of("p0", "p100", "often", "", "-5")) {
      assertThrows(IllegalArgumentException.class, () -> Percentile.parse(wrong), wrong);
    }
  }
}
