package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.fixtures.SampleFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class K6SummaryTest {

  private static final String EXPORT = "load/k6-1.8-summary-export.json";
  private static final String HANDLED = "load/k6-1.8-handle-summary.json";

  private static RequestStats sample(String name) throws IOException {
    try (InputStream in = Files.newInputStream(SampleFiles.file(name))) {
      return K6SummaryFormat.read(in, "k6.json");
    }
  }

  private static RequestStats read(String text) throws IOException {
    return K6SummaryFormat.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "k6.json");
  }

  @Test
  void aSummaryExportIsReadInMilliseconds() throws IOException {
    // grep -A 12 '"http_req_duration": {' and -A 3 '"http_reqs"' of the sample.
    RequestStats stats = sample(EXPORT);
    assertEquals("k6", stats.producer());
    assertEquals(OptionalLong.of(481), stats.requests());
    assertEquals(59.96107624367117, stats.rate().orElseThrow().perSecond());
    // 22.013610634095638 ms, rounded to nanoseconds
    assertEquals(Optional.of(Duration.ofNanos(22_013_611)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(73_818_413)), stats.longest());
    assertEquals(Optional.of(Duration.ofNanos(21_178_867)), stats.percentile(50));
    assertEquals(Optional.of(Duration.ofNanos(23_657_108)), stats.percentile(90));
    assertEquals(Optional.of(Duration.ofNanos(24_717_223)), stats.percentile(95));
    assertEquals(Optional.of(Duration.ofNanos(27_703_967)), stats.percentile(99));
    assertEquals(Set.of(50.0, 90.0, 95.0, 99.0), stats.percentiles().keySet());
    assertEquals(OptionalLong.empty(), stats.dropped());
    // "vus": {"value": 2, "min": 2, "max": 2}, of 30 that are kept.
    assertEquals(OptionalLong.of(2), stats.users());
    assertEquals(Optional.of(LoadModel.OPEN), stats.model());
    assertEquals("k6.json http_req_duration", stats.source().toString());
  }

  @Test
  void thresholdsAreTargetsInBothLayouts() throws IOException {
    // grep -B 3 -A 3 thresholds of both samples: p(95)<200, and of the failures rate<0.01.
    for (String sample : List.of(EXPORT, "load/k6-1.8-handle-summary.json")) {
      RequestStats.Targets targets = sample(sample).targets();
      assertEquals(Map.of(95.0, Duration.ofMillis(200)), targets.latency());
      assertEquals(0.99, targets.success().orElseThrow().value(), 1e-12);
      assertEquals(Optional.empty(), targets.rate());
    }
  }

  @Test
  void thresholdsOfOtherFiguresAreNoTargets() throws IOException {
    RequestStats stats =
        read(
            "{\"metrics\": {\"http_reqs\": {\"count\": 10, \"rate\": 5, \"thresholds\":"
                + " {\"rate>4\": false}}, \"http_req_duration\": {\"avg\": 2, \"thresholds\":"
                + " {\"avg<100\": false, \"med < 20.5\": true, \"p(99)>1\": false}}}}");
    assertEquals(Map.of(50.0, Duration.ofNanos(20_500_000)), stats.targets().latency());
    assertEquals(4, stats.targets().rate().orElseThrow().perSecond());
  }

  @Test
  void callsByGrpcAreRequestsThatTheirTrendCounts() throws IOException {
    // grep -A 12 '"grpc_req_duration"' of the sample; 8,491 iterations at 224.9388864 a second.
    RequestStats stats = sample("load/k6-1.8-grpc-summary.json");
    assertEquals(OptionalLong.of(8491), stats.requests());
    assertEquals(224.9388864, stats.rate().orElseThrow().perSecond(), 1e-6);
    assertEquals(Optional.of(Duration.ofNanos(557_912_061)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(988_342_265)), stats.percentile(99));
    assertEquals(OptionalLong.of(1108), stats.dropped());
    assertEquals("k6.json grpc_req_duration", stats.source().toString());
  }

  @Test
  void callsWithoutAnAnswerAreIterationsThatTheTrendLacks() throws IOException {
    RequestStats stats =
        read(
            "{\"metrics\": {\"grpc_req_duration\": {\"avg\": 2, \"count\": 1575},"
                + " \"iterations\": {\"count\": 3601, \"rate\": 83.5}}}");
    assertEquals(OptionalLong.of(3601), stats.requests());
    assertEquals(OptionalLong.of(2026), stats.failed());
    assertEquals(83.5, stats.rate().orElseThrow().perSecond(), 1e-9);
  }

  @Test
  void callsThatNothingCountsStillHaveLatencies() throws IOException {
    RequestStats stats = read("{\"metrics\": {\"grpc_req_duration\": {\"avg\": 2, \"med\": 1}}}");
    assertEquals(OptionalLong.empty(), stats.requests());
    assertEquals(Optional.of(Duration.ofMillis(1)), stats.percentile(50));
  }

  @Test
  void onlyATestOnAScheduleHasUsersToSpareOrDropsRequests() throws IOException {
    String figures =
        "\"http_reqs\": {\"count\": 10, \"rate\": 5}, \"http_req_duration\": {\"avg\": 2}";
    assertEquals(
        Optional.of(LoadModel.OPEN),
        read("{\"metrics\": {" + figures + ", \"vus\": {\"max\": 7}, \"vus_max\": {\"max\": 100}}}")
            .model());
    assertEquals(
        Optional.of(LoadModel.OPEN),
        read("{\"metrics\": {" + figures + ", \"dropped_iterations\": {\"count\": 3}}}").model());
    assertEquals(
        Optional.empty(),
        read("{\"metrics\": {" + figures + ", \"vus\": {\"max\": 7}, \"vus_max\": {\"max\": 7}}}")
            .model());
  }

  @Test
  void aHandledSummaryIsReadFromItsValues() throws IOException {
    RequestStats stats = sample(HANDLED);
    assertEquals(OptionalLong.of(481), stats.requests());
    assertEquals(59.96415689769705, stats.rate().orElseThrow().perSecond());
    // 20.87691272557171 ms
    assertEquals(Optional.of(Duration.ofNanos(20_876_913)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(32_971_923)), stats.longest());
    assertEquals(Optional.of(Duration.ofNanos(24_583_518)), stats.percentile(99));
  }

  @ParameterizedTest
  @ValueSource(strings = {EXPORT, HANDLED})
  void aRunWithoutFailuresHasNoneAlthoughItsFailsCountEveryRequest(String name) throws IOException {
    // Both samples state passes 0 and fails 481 for http_req_failed; the console said
    // "http_req_failed: 0.00% 0 out of 481".
    assertEquals(OptionalLong.of(0), sample(name).failed());
  }

  @Test
  void failuresDropsAndFinePercentilesAreRead() throws IOException {
    RequestStats stats =
        read(
            """
            {"metrics": {
              "http_reqs": {"count": 100, "rate": 10},
              "http_req_failed": {"passes": 7, "fails": 93, "value": 0.07},
              "dropped_iterations": {"count": 12, "rate": 1.2},
              "http_req_duration": {"avg": 1, "max": 2000, "p(99.9)": 1999.5, "p(100)": 2000}}}
            """);
    assertEquals(OptionalLong.of(7), stats.failed());
    assertEquals(OptionalLong.of(12), stats.dropped());
    assertEquals(Set.of(99.9), stats.percentiles().keySet());
    assertEquals(Optional.of(Duration.ofMillis(1)), stats.mean());
  }

  @Test
  void whatIsNotStatedIsAbsent() throws IOException {
    RequestStats stats =
        read(
            """
            {"metrics": {"http_reqs": {"count": 1, "rate": 1},
              "http_req_duration": {"avg": 1, "max": 1, "med": "fast", "p(90)": -1}}}
            """);
    assertTrue(stats.failed().isEmpty());
    assertTrue(stats.dropped().isEmpty());
    assertTrue(stats.percentiles().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\u0000\u0001\u0002",
        "[1, 2]",
        "\"metrics\"",
        "{\"metrics\": []}",
        "{\"metrics\": {\"http_reqs\": {\"count\": 4",
        "{\"status\": \"success\", \"data\": {}}",
        "{\"metrics\": {}}",
        "{\"metrics\": {\"http_reqs\": {\"count\": 1, \"rate\": 1e400}}}"
      })
  void whatIsNoSummaryIsRefusedInOneLine(String text) {
    IOException e = assertThrows(IOException.class, () -> read(text));
    assertFalse(e.getMessage().contains("\n"), e.getMessage());
    assertTrue(Character.isLowerCase(e.getMessage().charAt(0)), e.getMessage());
  }

  @Test
  void aSummaryWithoutMeanAndLongestIsRead() throws IOException {
    RequestStats stats =
        read(
            """
            {"metrics": {"http_reqs": {"count": 1, "rate": 1}, "vus": {"value": 0, "max": 7},
              "http_req_duration": {"p(99)": 1}}}
            """);
    assertEquals(Optional.empty(), stats.mean());
    assertEquals(Optional.empty(), stats.longest());
    assertEquals(Optional.of(Duration.ofMillis(1)), stats.percentile(99));
    assertEquals(OptionalLong.of(7), stats.users());
  }

  @Test
  void aSummaryWithoutRequestsSaysWhatIsMissing() {
    IOException e = assertThrows(IOException.class, () -> read("{\"metrics\": {}}"));
    assertEquals("this k6 summary states no 'count' of http_reqs", e.getMessage());
  }

  @Test
  void aFileFarTooLargeIsRefused() {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return '{';
          }

          @Override
          public int read(byte[] bytes, int from, int length) {
            Arrays.fill(bytes, from, from + length, (byte) '{');
            return length;
          }
        };
    IOException e =
        assertThrows(IOException.class, () -> K6SummaryFormat.read(endless, "big.json"));
    assertEquals("not a k6 summary: larger than 64 MB", e.getMessage());
  }

  @Test
  void aSummaryIsRecognisedByItsBeginning() throws IOException {
    for (String name : new String[] {EXPORT, HANDLED}) {
      assertTrue(
          K6SummaryFormat.looksLikeK6Summary(
              Files.readString(SampleFiles.file(name)).substring(0, 2048)));
    }
    assertFalse(K6SummaryFormat.looksLikeK6Summary(""));
    assertFalse(K6SummaryFormat.looksLikeK6Summary("{\"threadDump\": {}}"));
    assertFalse(K6SummaryFormat.looksLikeK6Summary("the \"root_group\" of k6"));
    assertFalse(K6SummaryFormat.looksLikeK6Summary("{\"metrics\": {\"requests\": 1}}"));
  }
}
