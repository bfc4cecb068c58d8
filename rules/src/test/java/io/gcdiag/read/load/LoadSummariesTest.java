package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Summaries of a whole run: autocannon, bombardier. Expected values stand in the files. */
class LoadSummariesTest {

  private static RequestStats sample(LoadFormat format, String file) throws IOException {
    return LoadRuns.sample(format, file).run().stats();
  }

  @Test
  void autocannonCountsInMilliseconds() throws IOException {
    RequestStats stats = sample(new AutocannonFormat(), "autocannon-9.0.json");
    assertEquals("autocannon", stats.producer());
    assertEquals(OptionalLong.of(244), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    assertEquals(OptionalLong.of(4), stats.users());
    // 244 requests in 4.1 s
    assertEquals(Optional.of(new Rate(244 / 4.1)), stats.rate());
    assertEquals(Optional.of(Duration.ofNanos(65_280_000)), stats.mean());
    assertEquals(Optional.of(Duration.ofMillis(175)), stats.longest());
    assertEquals(Optional.of(Duration.ofMillis(51)), stats.shortest());
    assertEquals(Optional.of(Duration.ofMillis(131)), stats.percentile(97.5));
    assertEquals(Optional.of(Duration.ofMillis(139)), stats.percentile(99));
  }

  @Test
  void bombardierCountsInMicroseconds() throws IOException {
    RequestStats stats = sample(new AutocannonFormat(), "bombardier-1.2.json");
    assertEquals("bombardier", stats.producer());
    assertEquals(OptionalLong.of(289), stats.requests());
    assertEquals(OptionalLong.of(0), stats.failed());
    assertEquals(OptionalLong.of(4), stats.users());
    assertEquals(55.9038, stats.mean().orElseThrow().toNanos() / 1e6, 0.0001);
    assertEquals(Optional.of(Duration.ofNanos(95_183_000)), stats.longest());
    assertEquals(Optional.of(Duration.ofNanos(94_951_000)), stats.percentile(99));
  }

  @Test
  void aResultWithoutRequestsIsRefused() {
    assertThrows(
        IOException.class,
        () -> LoadRuns.read(new AutocannonFormat(), "{\"requests\":{},\"latency\":{}}"));
  }
}
