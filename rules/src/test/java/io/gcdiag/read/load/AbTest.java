package io.gcdiag.read.load;

import static io.gcdiag.read.load.LoadRuns.assertAbout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.load.LoadRuns.Read;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AbTest {

  private static final AbFormat FORMAT = new AbFormat();

  private static String output() throws IOException {
    return Files.readString(SampleFiles.file("load/ab-2.3-stdout.txt"));
  }

  @Test
  void theOutputIsRead() throws IOException {
    RequestStats stats = LoadRuns.sample(FORMAT, "ab-2.3-stdout.txt").run().stats();
    assertEquals("ab", stats.producer());
    assertEquals(OptionalLong.of(300), stats.requests());
    assertEquals(Optional.of(new Rate(191.8)), stats.rate());
    // "Time per request: 41.710 [ms] (mean)", and not the line after it, which is the inverse rate
    assertEquals(Optional.of(Duration.ofNanos(41_710_000)), stats.mean());
    assertEquals(Optional.of(Duration.ofMillis(81)), stats.longest());
    assertEquals(
        Set.of(50.0, 66.0, 75.0, 80.0, 90.0, 95.0, 98.0, 99.0), stats.percentiles().keySet());
    assertEquals(Optional.of(Duration.ofMillis(63)), stats.percentile(99));
    assertEquals(OptionalLong.of(8), stats.users());
    assertEquals(Optional.of(LoadModel.CLOSED), stats.model());
  }

  @Test
  void responsesOfAnotherLengthAreNoFailures() throws IOException {
    // "Failed requests: 154", "(Connect: 0, Receive: 0, Length: 154, Exceptions: 0)"
    assertEquals(
        OptionalLong.of(0), LoadRuns.sample(FORMAT, "ab-2.3-stdout.txt").run().stats().failed());
  }

  @Test
  void errorsAndBadStatusAreFailures() throws IOException {
    String text =
        output()
            .replace(
                "(Connect: 0, Receive: 0, Length: 154, Exceptions: 0)",
                "(Connect: 1, Receive: 2, Length: 148, Exceptions: 3)\nNon-2xx responses:      7");
    // 1 + 2 + 3 + 7
    assertEquals(OptionalLong.of(13), LoadRuns.read(FORMAT, text).run().stats().failed());
  }

  @Test
  void anOutputWithoutResultIsRefused() throws IOException {
    String text = output().substring(0, output().indexOf("Concurrency"));
    IOException e = assertThrows(IOException.class, () -> LoadRuns.read(FORMAT, text));
    assertEquals("ab ended without a result: no line 'Complete requests'", e.getMessage());
  }

  @Test
  void theRequestsOfGnuplotAreRead() throws IOException {
    Read read = LoadRuns.sample(FORMAT, "ab-2.3-gnuplot.tsv");
    assertEquals("", read.lost());
    // tail -n +2 f | cut -f2 | sort | uniq -c
    assertEquals(List.of(185L, 115L), read.requests());
    assertEquals(Instant.ofEpochSecond(1795245503), read.intervals().get(0).from());
    RequestStats stats = read.run().stats();
    assertEquals(OptionalLong.of(300), stats.requests());
    // The file does not say which failed.
    assertEquals(OptionalLong.empty(), stats.failed());
    // awk 'NR>1{s+=$9}END{print s}' f: 12236; 12236 / 300 = 40.786667
    assertEquals(Optional.of(Duration.ofNanos(40_786_667)), stats.mean());
    // cut -f5 f | sort -n, lines 150, 270, 285 and 297 of 300
    assertAbout(41, stats.percentile(50));
    assertAbout(43, stats.percentile(90));
    assertAbout(59, stats.percentile(95));
    assertAbout(62, stats.percentile(99));
    assertEquals(Optional.of(Duration.ofMillis(81)), stats.longest());
    assertEquals(Optional.empty(), stats.rate());
  }

  @Test
  void cutRowsOfGnuplotAreLeftOut() throws IOException {
    Read read =
        LoadRuns.read(
            FORMAT,
            """
            starttime\tseconds\tctime\tdtime\tttime\twait
            Wed May 01 10:00:00 2024\t1714557600\t0\t21\t21\t21
            Wed May 01 10:00:00 2024\t99999999999999999\t0\t21\t21\t21
            Wed May 01 10:00:00 2024\t1714557600\t0\t2""");
    assertEquals(List.of(1L), read.requests());
    assertEquals("2 lines are cut or damaged and were left out", read.lost());
  }

  @Test
  void thePercentagesAreReadAndNothingElseIsKnown() throws IOException {
    RequestStats stats = LoadRuns.sample(FORMAT, "ab-2.3-percentages.csv").run().stats();
    // grep -E '^(50|75|90|95|99),' f
    assertEquals(Set.of(50.0, 75.0, 90.0, 95.0, 99.0), stats.percentiles().keySet());
    assertEquals(Optional.of(Duration.ofNanos(40_705_000)), stats.percentile(50));
    assertEquals(Optional.of(Duration.ofNanos(62_648_000)), stats.percentile(99));
    assertTrue(stats.requests().isEmpty());
    assertTrue(stats.rate().isEmpty());
    assertTrue(stats.mean().isEmpty());
  }

  @Test
  void percentagesThatEndBeforeTheMedianAreRefused() {
    assertThrows(
        IOException.class, () -> LoadRuns.read(FORMAT, "Percentage served,Time in ms\n0,20.8\n1,"));
  }
}
