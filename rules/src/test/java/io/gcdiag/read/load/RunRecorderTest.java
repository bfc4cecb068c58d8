package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Rate;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RunRecorderTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final Source SOURCE = new Source("a", "");

  private final RunRecorder recorder = new RunRecorder(false);

  private static LoadRun run(RunRecorder recorder) throws IOException {
    return recorder.run("tool", new RequestStats.Builder("tool", SOURCE), SOURCE);
  }

  private boolean add(double second, long millis, boolean failed) {
    return recorder.add(
        START.plusMillis(Math.round(second * 1000)), Duration.ofMillis(millis), failed);
  }

  private static List<Long> requests(RequestSeries series) {
    return series.intervals().stream().map(RequestInterval::requests).toList();
  }

  @Test
  void theShortestIsOneThatSucceeded() throws IOException {
    add(0, 1, true);
    add(1, 12, false);
    add(2, 300, false);
    assertEquals(Optional.of(Duration.ofMillis(12)), run(recorder).stats().shortest());
  }

  @Test
  void requestsBelongToTheSecondTheyBeganInWhateverTheirOrder() throws IOException {
    add(3.999, 2000, true);
    add(0.5, 10, false);
    add(0.25, 20, false);
    LoadRun run = run(recorder);
    RequestSeries series = run.series().orElseThrow();
    assertEquals(Duration.ofSeconds(1), series.step());
    assertEquals(List.of(2L, 0L, 0L, 1L), requests(series));
    assertEquals(START, series.intervals().get(0).from());
    assertEquals(1, series.intervals().get(3).failed());
    LoadRuns.assertAbout(
        2000, series.intervals().get(3).latencies().percentile(50).flatMap(LatencyBound::value));
    RequestStats stats = run.stats();
    assertEquals(OptionalLong.of(3), stats.requests());
    // (2000 + 10 + 20) / 3 ms
    assertEquals(Optional.of(Duration.ofNanos(676_666_667)), stats.mean());
    assertEquals(Optional.of(Duration.ofSeconds(2)), stats.longest());
    LoadRuns.assertAbout(20, stats.percentile(50));
    assertEquals(Optional.of(Duration.ofSeconds(2)), stats.percentile(99));
    // From 0.25 s to 5.999 s.
    assertEquals(Optional.of(new Rate(3 / 5.749)), stats.rate());
  }

  @Test
  void aLongTestIsKeptInLongerIntervals() throws IOException {
    // One request a second over three hours and 17 seconds: 10,817.
    for (int second = 0; second < 3 * 3600 + 17; second++) {
      add(second, second < 3600 ? 10 : 100, second % 2 == 0);
    }
    RequestSeries series = run(recorder).series().orElseThrow();
    assertEquals(Duration.ofSeconds(2), series.step());
    assertEquals(5409, series.intervals().size());
    assertEquals(2, series.intervals().get(0).requests());
    assertEquals(1, series.intervals().get(0).failed());
    assertEquals(1, series.intervals().get(5408).requests());
    assertEquals(10_817, series.intervals().stream().mapToLong(RequestInterval::requests).sum());
    Optional<LatencyBound> fast = series.intervals().get(0).latencies().percentile(50);
    assertEquals(
        7217,
        series.intervals().stream()
            .filter(interval -> !interval.latencies().percentile(50).equals(fast))
            .mapToLong(RequestInterval::requests)
            .sum());
  }

  @Test
  void impossibleRequestsAreNotAdded() throws IOException {
    assertTrue(add(0, 1, false));
    assertFalse(add(1, -1, false));
    assertFalse(add(2, Duration.ofDays(2).toMillis(), false));
    assertFalse(recorder.add(Instant.EPOCH, Duration.ZERO, false));
    assertFalse(recorder.add(Instant.MAX, Duration.ZERO, false));
    assertFalse(add(Duration.ofDays(40).toSeconds(), 1, false));
    assertFalse(add(-Duration.ofDays(40).toSeconds(), 1, false));
    assertEquals(OptionalLong.of(1), run(recorder).stats().requests());
  }

  @Test
  void aSpanOfAMonthStaysBounded() throws IOException {
    add(0, 1, false);
    add(Duration.ofDays(30).toSeconds(), 1, false);
    RequestSeries series = run(recorder).series().orElseThrow();
    // 2,592,000 s in steps of 512 s are 5062.5, and in steps of 256 s more than 7200.
    assertEquals(Duration.ofSeconds(512), series.step());
  }

  @Test
  void stampsOfWholeSecondsGiveARateFromTenSecondsOn() throws IOException {
    RunRecorder recorder = new RunRecorder(true);
    for (int i = 0; i < 100; i++) {
      recorder.add(START.plusSeconds(i / 10), Duration.ofMillis(1), false);
    }
    assertEquals(Optional.empty(), run(recorder).stats().rate());
    recorder.add(START.plusSeconds(10), Duration.ofMillis(1), false);
    // From second 0 to second 10, both half full on average.
    assertEquals(Optional.of(new Rate(10.1)), run(recorder).stats().rate());
  }

  @Test
  void aSingleRequestThatTookNoTimeHasNoRate() throws IOException {
    add(0, 0, false);
    assertEquals(Optional.empty(), run(recorder).stats().rate());
    assertEquals(Optional.of(Duration.ZERO), run(recorder).stats().percentile(50));
  }

  @Test
  void noRequestIsNoResult() {
    assertThrows(IOException.class, () -> run(recorder));
  }
}
