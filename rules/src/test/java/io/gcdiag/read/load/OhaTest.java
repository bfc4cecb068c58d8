package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OhaTest {

  private static final OhaFormat FORMAT = new OhaFormat();

  @Test
  void aResultIsRead() throws IOException {
    RequestStats stats = LoadRuns.sample(FORMAT, "oha-1.16.json").run().stats();
    assertEquals("oha", stats.producer());
    // 198 + 42 responses; two more were cut off when the time was up.
    assertEquals(OptionalLong.of(240), stats.requests());
    assertEquals(OptionalLong.of(42), stats.failed());
    assertEquals(Optional.of(new Rate(40.31930447325769)), stats.rate(), "and not the mean of rps");
    assertEquals(Optional.of(Duration.ofNanos(23_477_584)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(301_566_693)), stats.longest());
    assertEquals(Optional.of(Duration.ofNanos(5_389_057)), stats.shortest());
    assertEquals(
        Set.of(10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9, 99.99),
        stats.percentiles().keySet());
    assertEquals(Optional.of(Duration.ofNanos(6_593_504)), stats.percentile(50));
    assertEquals(Optional.of(Duration.ofNanos(300_760_391)), stats.percentile(99));
    assertEquals(Optional.empty(), stats.model(), "nothing says whether it kept to a schedule");
  }

  @Test
  void whereNobodyAnsweredAllFailedAndNoLatencyIsKnown() throws IOException {
    RequestStats stats =
        LoadRuns.read(
                FORMAT,
                """
                {"summary": {"successRate": 0.0, "total": 0.1, "slowest": null, "fastest": null,
                  "average": null, "requestsPerSec": 120.0},
                 "latencyPercentiles": {}, "statusCodeDistribution": {},
                 "errorDistribution": {"tcp connect error: /127.0.0.1: refused": 12}}
                """)
            .run()
            .stats();
    assertEquals(OptionalLong.of(12), stats.requests());
    assertEquals(OptionalLong.of(12), stats.failed());
    assertEquals(Optional.empty(), stats.mean());
    assertEquals(Set.of(), stats.percentiles().keySet());
  }

  @Test
  void numbersElsewhereAreNoFigures() throws IOException {
    RequestStats stats =
        LoadRuns.read(
                FORMAT,
                """
                {"summary": {"average": [7, {"average": 8}], "slowest": 1e999, "fastest": -1},
                 "more": {"latencyPercentiles": {"p50": 9}, "summary": {"average": 9}},
                 "statusCodeDistribution": {"200": 5, "204": 99999999999999999999}, "average": 9}
                """)
            .run()
            .stats();
    assertEquals(OptionalLong.of(5), stats.requests());
    assertEquals(Optional.empty(), stats.mean());
    assertEquals(Optional.empty(), stats.longest());
    assertEquals(Optional.empty(), stats.shortest());
    assertEquals(Set.of(), stats.percentiles().keySet());
  }

  @Test
  void aResultThatIsCutIsRefused() throws IOException {
    String text = Files.readString(SampleFiles.file("load/oha-1.16.json"));
    String cut = text.substring(0, text.indexOf("\"details\""));
    IOException e = assertThrows(IOException.class, () -> LoadRuns.read(FORMAT, cut));
    assertEquals("the result of oha is no valid JSON at line 90", e.getMessage());
  }

  @Test
  void aResultWithoutRequestsIsRefused() {
    IOException e =
        assertThrows(IOException.class, () -> LoadRuns.read(FORMAT, "{\"summary\": {}}"));
    assertEquals(
        "oha ended without a result: neither responses nor errors are counted", e.getMessage());
  }
}
