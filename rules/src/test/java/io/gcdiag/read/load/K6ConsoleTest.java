package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class K6ConsoleTest {

  private static final K6ConsoleFormat FORMAT = new K6ConsoleFormat();

  private static String sample() throws IOException {
    return Files.readString(SampleFiles.file("load/k6-1.8-stdout.txt"));
  }

  /** http_reqs: 87 17.167991/s; http_req_failed: 4 out of 87; p(99)=119.82ms. */
  private static void assertWhole(RequestStats stats) {
    assertEquals("k6", stats.producer());
    assertEquals(OptionalLong.of(87), stats.requests());
    assertEquals(OptionalLong.of(4), stats.failed());
    assertEquals(Optional.of(new Rate(17.167991)), stats.rate());
    assertEquals(Optional.of(Duration.ofNanos(98_450_000)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(121_680_000)), stats.longest());
    assertEquals(Set.of(50.0, 90.0, 95.0, 99.0), stats.percentiles().keySet());
    assertEquals(Optional.of(Duration.ofNanos(98_110_000)), stats.percentile(50));
    assertEquals(Optional.of(Duration.ofNanos(119_820_000)), stats.percentile(99));
    assertEquals(OptionalLong.of(83), stats.dropped());
    assertEquals(OptionalLong.of(2), stats.users());
    assertEquals(Optional.of(LoadModel.OPEN), stats.model());
    assertEquals(Map.of(95.0, Duration.ofMillis(200)), stats.targets().latency());
  }

  @Test
  void thresholdsOfTheMetricAboveThemAreTargets() throws IOException {
    String shown =
        "http_req_duration\n    ✗ 'p(99)<100' p(99)=119.82ms\n    ✓ 'p(95)<200' p(95)=118.66ms\n"
            + "\n    http_req_duration{name:a}\n    ✓ 'p(95)<1' p(95)=0.5ms\n"
            + "\n    http_req_failed\n    ✗ 'rate<0.01' rate=4.59%\n";
    RequestStats.Targets targets =
        LoadRuns.read(
                FORMAT,
                sample().replace("http_req_duration\n    ✓ 'p(95)<200' p(95)=118.66ms\n", shown))
            .run()
            .stats()
            .targets();
    assertEquals(
        Map.of(95.0, Duration.ofMillis(200), 99.0, Duration.ofMillis(100)), targets.latency());
    assertEquals(Optional.of(new Ratio(0.99)), targets.success());
  }

  @Test
  void anOutputIsRead() throws IOException {
    assertWhole(LoadRuns.sample(FORMAT, "k6-1.8-stdout.txt").run().stats());
  }

  @Test
  void callsByGrpcAreNotCountedOnTheConsoleAndHaveLatenciesAllTheSame() throws IOException {
    RequestStats stats =
        LoadRuns.read(
                FORMAT,
                """
                    GRPC
                    grpc_req_duration...: avg=8.45ms min=1.2ms med=8.11ms max=21.68ms p(90)=11.1ms p(95)=12ms

                    EXECUTION
                    iterations..........: 481 59.9/s
                    vus.................: 2  min=2  max=2
                """)
            .run()
            .stats();
    assertEquals(OptionalLong.empty(), stats.requests());
    assertEquals(Optional.of(Duration.ofNanos(8_110_000)), stats.percentile(50));
    assertEquals(OptionalLong.of(2), stats.users());
    assertEquals("a grpc_req_duration", stats.source().toString());
  }

  @Test
  void theSummaryAloneDoesNotTellTheModelOfTheLoad() throws IOException {
    String text = sample();
    RequestStats stats =
        LoadRuns.read(FORMAT, text.substring(text.indexOf("TOTAL RESULTS"))).run().stats();
    assertEquals(OptionalLong.of(87), stats.requests());
    assertEquals(Optional.empty(), stats.model());
  }

  @Test
  void aPrefixOnEachLineAndColoursDoNoHarm() throws IOException {
    String prefixed =
        sample()
            .replace("\n", "\n2026-11-21T07:18:23Z load-1 | ")
            .replace("87", "\u001B[36m87\u001B[0m");
    assertWhole(LoadRuns.read(FORMAT, prefixed).run().stats());
  }

  @Test
  void beforeVersionOneMarksStandWithTheCountsAndBeforeTheName() throws IOException {
    RequestStats stats =
        LoadRuns.read(
                FORMAT,
                """
                       * default: 10 looping VUs for 30s (gracefulStop: 30s)
                     ✗ http_req_duration..............: avg=1.02s min=706.12µs med=1s max=1m2.5s p(90)=1.5s p(95)=2s
                         { expected_response:true }...: avg=1s min=706.12µs med=1s max=2s p(90)=1.4s p(95)=1.9s
                       http_req_failed................: 2.50%  ✓ 12       ✗ 468
                       http_reqs......................: 480    16/s
                """)
            .run()
            .stats();
    assertEquals(OptionalLong.of(12), stats.failed());
    assertEquals(Optional.of(Duration.ofMillis(62_500)), stats.longest());
    assertEquals(Optional.of(Duration.ofSeconds(2)), stats.percentile(95));
    assertEquals(Optional.of(LoadModel.CLOSED), stats.model());
  }

  @Test
  void aRunThatWasEndedBeforeItsSummaryIsRefused() throws IOException {
    String text = sample();
    String cut = text.substring(0, text.indexOf("THRESHOLDS"));
    IOException e = assertThrows(IOException.class, () -> LoadRuns.read(FORMAT, cut));
    assertEquals("k6 ended without its summary: no line of http_reqs", e.getMessage());
  }
}
