package io.gcdiag.read.load;

import static io.gcdiag.read.load.LoadRuns.assertAbout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.read.load.LoadRuns.Read;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class K6SamplesTest {

  private static final K6SamplesFormat FORMAT = new K6SamplesFormat();

  private static String point(String metric, String time, double value, String tags) {
    return "{\"metric\":\""
        + metric
        + "\",\"type\":\"Point\",\"data\":{\"time\":\""
        + time
        + "\",\"value\":"
        + value
        + ",\"tags\":{"
        + tags
        + "}}}\n";
  }

  @Test
  void jsonIsPlacedByTheTimeAtWhichARequestBegan() throws IOException {
    Read read = LoadRuns.sample(FORMAT, "k6-1.8-samples.json.gz");
    // zcat f | jq -r 'select(.type=="Point" and .metric=="http_req_duration")
    //   | "\(.data.time) \(.data.value)"': time less value by second.
    assertEquals(List.of(48L, 60L, 60L, 60L, 60L, 60L, 60L, 60L, 13L), read.requests());
    assertEquals(Instant.parse("2026-11-21T07:17:39Z"), read.intervals().get(0).from());
    assertEquals("", read.lost());
    RequestStats stats = read.run().stats();
    assertEquals("k6", stats.producer());
    assertEquals(OptionalLong.of(481), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    assertEquals(OptionalLong.of(0), stats.dropped());
    // The sum of the values is 10588.5467 ms; 10588.5467 / 481 = 22.0136.
    assertEquals(22.0136, stats.mean().orElseThrow().toNanos() / 1e6, 0.0001);
    assertEquals(Optional.of(Duration.ofNanos(73_818_413)), stats.longest());
    // sort -n of the values, lines 241, 457 and 477.
    assertAbout(21.178867, stats.percentile(50));
    assertAbout(24.717223, stats.percentile(95));
    assertAbout(29.914642, stats.percentile(99));
    // 481 in 8.02001422 s, from the first request's start to the last one's end.
    assertEquals(59.975, stats.rate().orElseThrow().perSecond(), 0.001);
    // zcat f | jq -r 'select(.metric=="http_req_duration").data.tags | .method + " " + .name':
    // "GET read", 481 times.
    EndpointSeries endpoint = read.run().series().orElseThrow().endpoints().get(0);
    assertEquals("GET read", endpoint.endpoint());
    assertEquals(481, endpoint.slots().stream().mapToLong(Slot::requests).sum());
    assertEquals(
        10.5885467, endpoint.slots().stream().mapToDouble(Slot::latencySeconds).sum(), 1e-6);
    // Of "login_success_rate" there is a third one, which is no target.
    assertEquals(Map.of(95.0, Duration.ofMillis(200)), stats.targets().latency());
    assertEquals(Optional.of(new Ratio(0.99)), stats.targets().success());
    // "vus" is 2 in all nine samples of it.
    assertEquals(OptionalLong.of(2), stats.users());
  }

  @Test
  void csvWithStampsOfWholeSecondsIsPlacedToTheSecond() throws IOException {
    Read read = LoadRuns.sample(FORMAT, "k6-1.8-samples.csv.gz");
    // zcat f | awk -F, '$1=="http_req_duration"{c[int($2+0.5-$3/1000)]++} END{for(k in c)print
    // k,c[k]}'
    assertEquals(List.of(47L, 60L, 60L, 60L, 60L, 60L, 60L, 60L, 14L), read.requests());
    assertEquals(Instant.ofEpochSecond(1795245459), read.intervals().get(0).from());
    RequestStats stats = read.run().stats();
    assertEquals(OptionalLong.of(481), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    assertEquals(22.0136, stats.mean().orElseThrow().toNanos() / 1e6, 0.0001);
    assertAbout(24.717223, stats.percentile(95));
    // Eight seconds are too short to tell a rate from whole seconds.
    assertEquals(Optional.empty(), stats.rate());
    assertEquals(OptionalLong.of(2), stats.users());
  }

  @Test
  void callsByGrpcAreRequests() throws IOException {
    Read read = LoadRuns.sample(FORMAT, "k6-1.8-grpc-samples.csv.gz");
    // As above, with "grpc_req_duration"; all have 0 in column 14, the status.
    assertEquals(List.of(110L, 120L, 120L, 118L, 122L, 120L, 117L, 118L), read.requests());
    RequestStats stats = read.run().stats();
    assertEquals(OptionalLong.of(945), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    // 51808.5 ms / 945
    assertEquals(54.8238, stats.mean().orElseThrow().toNanos() / 1e6, 0.0001);
    assertAbout(44.205982, stats.percentile(50));
    assertAbout(168.003135, stats.percentile(99));
    assertTrue(stats.source().toString().endsWith(" grpc_req_duration"));
  }

  @Test
  void aCallByGrpcFailsByItsStatus() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            point("grpc_req_duration", "2024-05-01T10:00:01Z", 5, "\"status\":\"0\"")
                + point("grpc_req_duration", "2024-05-01T10:00:02Z", 7, "\"status\":\"14\""));
    assertEquals(OptionalLong.of(2), read.run().stats().requests());
    assertEquals(OptionalLong.of(1), read.run().stats().failed());
  }

  @Test
  void failuresAndDroppedIterationsAreCounted() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            point("http_reqs", "2024-05-01T12:00:01+02:00", 1, "")
                + point("http_req_duration", "2024-05-01T12:00:01+02:00", 1500, "")
                + point("http_req_failed", "2024-05-01T12:00:01+02:00", 1, "")
                + point(
                    "http_req_duration",
                    "2024-05-01T10:00:02Z",
                    10,
                    "\"expected_response\":\"false\"")
                + point(
                    "http_req_duration",
                    "2024-05-01T10:00:03Z",
                    10,
                    "\"expected_response\":\"true\"")
                + point("http_req_failed", "2024-05-01T10:00:03Z", 0, "")
                + point("vus", "2024-05-01T10:00:03Z", 4, "")
                + point("dropped_iterations", "2024-05-01T10:00:03Z", 5, "")
                + point("dropped_iterations", "2024-05-01T10:00:03Z", 7, ""));
    RequestStats stats = read.run().stats();
    assertEquals(OptionalLong.of(3), stats.requests());
    assertEquals(OptionalLong.of(2), stats.failed());
    assertEquals(OptionalLong.of(12), stats.dropped());
    assertEquals(OptionalLong.of(4), stats.users());
    // The first began at 09:59:59.5, and what ended at 10:00:02 and 10:00:03 10 ms before that.
    assertEquals(Instant.parse("2024-05-01T09:59:59Z"), read.intervals().get(0).from());
    assertEquals(List.of(1L, 0L, 1L, 1L), read.requests());
    assertEquals(1, read.intervals().get(0).failed());
    // 09:59:59.5 to 10:00:03
    assertEquals(Optional.of(new Rate(3 / 3.5)), stats.rate());
  }

  @Test
  void whereNothingTellsOfFailuresTheirNumberIsUnknown() throws IOException {
    Read read = LoadRuns.read(FORMAT, point("http_req_duration", "2024-05-01T10:00:02Z", 10, ""));
    assertEquals(OptionalLong.empty(), read.run().stats().failed());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1714557602000",
        "1714557602000000",
        "1714557602000000000",
        "2024-05-01T10:00:02.0Z",
        "2024-05-01T12:00:02.0+02:00"
      })
  void theStampsOfCsvMayHaveAnyFormatOfK6(String stamp) throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            "metric_name,timestamp,metric_value,name\nhttp_req_duration," + stamp + ",1000.0,x\n");
    assertEquals(Instant.parse("2024-05-01T10:00:01Z"), read.intervals().get(0).from());
    assertEquals(Optional.of(new Rate(1)), read.run().stats().rate());
  }

  @Test
  void damagedLinesAreLeftOutAndCounted() throws IOException {
    String good = point("http_req_duration", "2024-05-01T10:00:02Z", 10, "");
    Read read =
        LoadRuns.read(
            FORMAT,
            good
                + point("http_req_duration", "yesterday", 10, "")
                + point("http_req_duration", "2024-05-01T10:00:02Z", -10, "")
                + point("http_req_duration", "1970-01-01T00:00:02Z", 10, "")
                + "garbage\n"
                + good.substring(0, good.length() - 20));
    assertEquals(List.of(1L), read.requests());
    assertEquals("4 lines are cut or damaged and were left out", read.lost());
  }

  @Test
  void damagedRowsAreLeftOutAndCounted() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            metric_name,timestamp,metric_value,url
            http_req_duration,1714557602,10.0,read
            http_req_duration,now,10.0,read
            http_req_duration,1714557602,fast,read
            http_req_duration,1714
            """);
    assertEquals(List.of(1L), read.requests());
    assertEquals("3 lines are cut or damaged and were left out", read.lost());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metric_name,timestamp,metric_value\nvus,1714557602,3.0\n",
        "{\"metric\":\"vus\",\"type\":\"Metric\"}\n",
      })
  void aTestWithoutHttpRequestsIsRefused(String text) {
    IOException e = assertThrows(IOException.class, () -> LoadRuns.read(FORMAT, text));
    assertEquals(
        "these samples of k6 hold no request (http_req_duration, grpc_req_duration)",
        e.getMessage());
  }
}
