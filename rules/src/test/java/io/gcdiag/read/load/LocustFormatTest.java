package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures are those of the row Aggregated. */
class LocustFormatTest {

  @TempDir Path folder;

  private static Timeline read(Path... paths) {
    return Ingest.read(
        Stream.of(paths)
            .map(path -> new Ingest.Request(path, Optional.of("load"), Optional.empty()))
            .toList(),
        OperatorFacts.none(),
        Redactor.hiding(),
        ReadOptions.STANDARD);
  }

  private static Path sample(String name) {
    return SampleFiles.file("load/locust-2.47_" + name);
  }

  @Test
  void theTableOfTheRunHasItsFigures() {
    RequestStats stats = read(sample("stats.csv")).requests().stats().get(0);
    assertEquals(230, stats.requests().orElseThrow());
    assertEquals(58, stats.failed().orElseThrow());
    assertEquals(21_355, stats.mean().orElseThrow().toNanos() / 1_000);
    assertEquals(Duration.ofMillis(110), stats.percentile(99).orElseThrow());
    assertEquals(1_048, stats.longest().orElseThrow().toMillis());
    assertEquals(16.4, stats.rate().orElseThrow().perSecond(), 0.01);
  }

  /** 14 requests in the first second, 17 in the next: 31 x 62.605 ms - 14 x 38.344 ms. */
  @Test
  void theHistoryHasTheRequestsOfEachSecond() {
    Timeline timeline = read(sample("stats_history.csv"));
    RequestSeries series = timeline.requests().series().get(0);
    assertEquals(Instant.ofEpochSecond(1_795_943_074), series.intervals().get(0).from());
    assertEquals(14, series.intervals().get(0).requests());
    assertEquals(2, series.intervals().get(0).failed());
    assertEquals(17, series.intervals().get(1).requests());
    assertEquals(
        (31 * 62.6051 - 14 * 38.34383) / 17,
        series.intervals().get(1).latencies().mean().orElseThrow().toNanos() / 1e6,
        1e-3);
    assertEquals(230, timeline.requests().stats().get(0).requests().orElseThrow());
  }

  @Test
  void bothTablesAreOneTest() {
    Timeline timeline = read(sample("stats.csv"), sample("stats_history.csv"));
    assertEquals(
        List.of(Status.OK, Status.OK),
        timeline.inputs().stream().map(report -> report.status()).toList());
  }

  @Test
  void aTableWithoutRequestsSaysSo() throws IOException {
    String header = Files.readAllLines(sample("stats.csv")).get(0);
    Path empty =
        Files.write(
            folder.resolve("empty.csv"),
            List.of(header, ",Aggregated,0,0,0,0.0,0,0,0.0,0.0,0.0,0,0,0,0,0,0,0,0,0,0,0"));
    assertEquals(
        "Locust ended without a result: no row counts all requests",
        read(empty).inputs().get(0).note());
  }
}
