package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gcdiag.evidence.LoadModel;
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

class HeyTest {

  private static final HeyFormat FORMAT = new HeyFormat();

  @Test
  void anOutputIsRead() throws IOException {
    RequestStats stats = LoadRuns.sample(FORMAT, "hey-0.1.4-stdout.txt").run().stats();
    assertEquals("hey", stats.producer());
    // [200] 585 responses, [503] 15 responses
    assertEquals(OptionalLong.of(600), stats.requests());
    assertEquals(OptionalLong.of(15), stats.failed());
    assertEquals(Optional.of(new Rate(82.0268)), stats.rate());
    assertEquals(Optional.of(Duration.ofNanos(67_600_000)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(247_900_000)), stats.longest());
    assertEquals(Set.of(10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0), stats.percentiles().keySet());
    assertEquals(Optional.of(Duration.ofMillis(64)), stats.percentile(50));
    assertEquals(Optional.of(Duration.ofMillis(244)), stats.percentile(99));
    assertEquals(Optional.of(LoadModel.CLOSED), stats.model());
  }

  @Test
  void theCsvOutputHasFiguresOfTheWholeRun() throws IOException {
    // Five responses, of which one is refused; from 0.1 s to 2 s + 0.5 s.
    LoadRun run =
        LoadRuns.read(
                FORMAT,
                """
                response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset
                0.0200,0.0048,0.0000,0.0004,0.0172,0.0034,200,0.1000
                0.0200,0.0000,0.0000,0.0000,0.0199,0.0001,200,0.6000
                0.0300,0.0000,0.0000,0.0000,0.0299,0.0001,200,1.1000
                0.0300,0.0000,0.0000,0.0000,0.0299,0.0001,503,1.5000
                0.5000,0.0000,0.0000,0.0000,0.4999,0.0001,200,2.0000
                """)
            .run();
    RequestStats stats = run.stats();
    assertEquals(Optional.empty(), run.series(), "nothing says when the run was");
    assertEquals(OptionalLong.of(5), stats.requests());
    assertEquals(OptionalLong.of(1), stats.failed());
    assertEquals(Optional.of(Duration.ofMillis(120)), stats.mean());
    assertEquals(Optional.of(Duration.ofMillis(500)), stats.longest());
    assertEquals(5 / 2.4, stats.rate().orElseThrow().perSecond(), 1e-9);
    assertEquals(Optional.of(LoadModel.CLOSED), stats.model());
  }

  @Test
  void theCsvOutputMayBeginWithAByteOrderMark() throws IOException {
    String text =
        "\uFEFFresponse-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n"
            + "0.0200,0.0048,0.0000,0.0004,0.0172,0.0034,200,0.1000\n";
    assertEquals(OptionalLong.of(1), LoadRuns.read(FORMAT, text).run().stats().requests());
  }

  @Test
  void whereNobodyAnsweredAllFailedAndNoLatencyIsKnown() throws IOException {
    RequestStats stats = LoadRuns.sample(FORMAT, "hey-0.1.4-refused.txt").run().stats();
    assertEquals(OptionalLong.of(12), stats.requests());
    assertEquals(OptionalLong.of(12), stats.failed());
    assertEquals(Optional.empty(), stats.mean());
    assertEquals(Optional.empty(), stats.longest());
    assertEquals(Set.of(), stats.percentiles().keySet());
  }

  @Test
  void anOutputThatIsCutAfterTheHistogramTellsHowManyWereAnswered() throws IOException {
    String text = Files.readString(SampleFiles.file("load/hey-0.1.4-stdout.txt"));
    RequestStats stats =
        LoadRuns.read(FORMAT, text.substring(0, text.indexOf("Details"))).run().stats();
    // The buckets: 1 + 11 + 573 + 3 + 12 = 600.
    assertEquals(OptionalLong.of(600), stats.requests());
    assertEquals(OptionalLong.empty(), stats.failed());
  }

  @Test
  void anOutputWithoutResultIsRefused() {
    IOException e =
        assertThrows(
            IOException.class,
            () -> LoadRuns.read(FORMAT, "Summary:\n  Total:\t0.1 secs\n  Requests/sec:\t0.0\n"));
    assertEquals(
        "hey ended without a result: neither responses nor errors are counted", e.getMessage());
  }
}
