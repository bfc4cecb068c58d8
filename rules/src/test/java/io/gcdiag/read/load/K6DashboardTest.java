package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.load.LoadRuns.Read;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class K6DashboardTest {

  private static final K6DashboardFormat FORMAT = new K6DashboardFormat();
  private static final String SAMPLE = "k6-1.8-dashboard.html.gz";

  private static String page() throws IOException {
    try (InputStream in = Unpacked.open(SampleFiles.file("load/" + SAMPLE))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The events in the page, as {@code base64 -d | gunzip} prints them. */
  private static String events() throws IOException {
    String page = page();
    int from = page.indexOf('>', page.indexOf("<script id=\"data\"")) + 1;
    byte[] packed =
        Base64.getDecoder().decode(page.substring(from, page.indexOf('<', from)).strip());
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** k6's own console: 241 requests, 20.07/s, none failed, avg=26.56ms max=97.23ms p(99)=56.8ms. */
  private static void assertRun(Read read) {
    assertEquals("", read.lost());
    RequestStats stats = read.run().stats();
    assertEquals("k6", stats.producer());
    assertEquals(OptionalLong.of(241), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    assertEquals(Optional.of(Duration.ofNanos(26_568_000)), stats.mean());
    assertEquals(Optional.of(Duration.ofNanos(97_231_000)), stats.longest());
    assertEquals(Optional.of(Duration.ofNanos(56_804_000)), stats.percentile(99));
    assertEquals(OptionalLong.of(1), stats.users());
    assertEquals(Map.of(99.0, Duration.ofMillis(500)), stats.targets().latency());
    // A snapshot a second, the last one before the 241st request.
    assertEquals(
        List.of(19L, 19L, 20L, 20L, 20L, 21L, 20L, 20L, 20L, 19L, 20L, 20L), read.requests());
    assertEquals(Instant.ofEpochMilli(1_795_963_405_798L), read.intervals().get(0).from());
  }

  @Test
  void theReportIsRead() throws IOException {
    assertRun(LoadRuns.sample(FORMAT, SAMPLE));
  }

  @Test
  void theRecordIsRead() throws IOException {
    assertRun(LoadRuns.read(FORMAT, events()));
  }

  @Test
  void aRecordThatIsCutHasItsSnapshots() throws IOException {
    String events = events();
    String cut = events.substring(0, events.indexOf("{\"event\":\"stop\""));
    Read read = LoadRuns.read(FORMAT, cut);
    assertEquals("the run was cut off; what stands before it was read", read.lost());
    // 19 + 19 + 20 + ... of the snapshots
    assertEquals(OptionalLong.of(238), read.run().stats().requests());
    assertEquals(12, read.intervals().size());
  }
}
