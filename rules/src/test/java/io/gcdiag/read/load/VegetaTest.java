package io.gcdiag.read.load;

import static io.gcdiag.read.load.LoadRuns.assertAbout;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.read.load.LoadRuns.Read;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VegetaTest {

  private static final VegetaFormat FORMAT = new VegetaFormat();

  /**
   * Its own report: "Requests 180", "Latencies [min, mean, 50, 90, 95, 99, max] 1.009ms, 37.653ms,
   * 44.673ms, 59.373ms, 68.302ms, 188.678ms, 229.617ms", "Status Codes 200:120 503:60".
   */
  @ParameterizedTest
  @ValueSource(strings = {"vegeta-12-requests.json", "vegeta-12-requests.csv"})
  void theFiguresAreThoseOfItsOwnReport(String file) throws IOException {
    Read read = LoadRuns.sample(FORMAT, file);
    assertEquals("", read.lost());
    // cut -d, -f1 | cut -c1-10 | uniq -c
    assertEquals(List.of(20L, 30L, 30L, 30L, 30L, 30L, 10L), read.requests());
    RequestStats stats = read.run().stats();
    assertEquals(OptionalLong.of(180), stats.requests());
    assertEquals(OptionalLong.of(60), stats.failed());
    assertEquals(37.653, stats.mean().orElseThrow().toNanos() / 1e6, 0.001);
    assertEquals(Optional.of(Duration.ofNanos(229_616_932)), stats.longest());
    // cut -d, -f3 | sort -n | sed -n '90p;162p;171p;179p'; vegeta's own are estimates
    assertAbout(44.700300, stats.percentile(50));
    assertAbout(59.173597, stats.percentile(90));
    assertAbout(68.218036, stats.percentile(95));
    assertAbout(192.544598, stats.percentile(99));
    assertEquals(
        List.of("GET /fail", "GET /items", "GET /orders/{id}"),
        read.run().series().orElseThrow().endpoints().stream()
            .map(EndpointSeries::endpoint)
            .toList());
  }

  @Test
  void aTruncatedLineIsCounted() throws IOException {
    String line =
        "{\"attack\":\"\",\"seq\":0,\"code\":200,\"timestamp\":\"2026-11-29T09:57:35Z\","
            + "\"latency\":1000000,\"error\":\"\",\"method\":\"GET\",\"url\":\"http://a/b\"}\n";
    Read read = LoadRuns.read(FORMAT, line + line + line.substring(0, 60));
    assertEquals(OptionalLong.of(2), read.run().stats().requests());
    assertEquals("1 line is cut or damaged and was left out", read.lost());
  }
}
