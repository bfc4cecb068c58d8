package io.gcdiag.loadtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TimerSplitTest {

  private static final Instant START = Instant.parse("2026-11-21T01:14:00Z");
  private static final Window MINUTE = new Window(START, START.plusSeconds(60));

  private static MetricSeries counter(
      String name, Map<String, String> labels, double... everyTenSeconds) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < everyTenSeconds.length; i++) {
      points.add(new Point(START.plusSeconds(10L * i), everyTenSeconds[i]));
    }
    return new MetricSeries(
        name,
        new TreeMap<>(labels),
        MetricMeaning.OTHER,
        true,
        points,
        new Source("metrics.json", name));
  }

  private static List<TimerSplit> splits(MetricSeries... series) {
    TimelineBuilder timeline = new TimelineBuilder();
    for (MetricSeries one : series) {
      timeline.metric(one);
    }
    return TimerSplit.of(timeline.build(), MINUTE);
  }

  /** The cache of the write-up: 47.2 % hits of 22 ms and 52.8 % misses of 125 ms are 76.4 ms. */
  @Test
  void theMeanOfATimerIsThatOfItsParts() {
    Map<String, String> hit = Map.of("result", "hit", "instance", "a");
    Map<String, String> miss = Map.of("result", "miss", "instance", "a");
    TimerSplit split =
        splits(
                counter("login_seconds_sum", hit, 5, 5 + 472 * 0.022),
                counter("login_seconds_count", hit, 100, 572),
                counter("login_seconds_sum", miss, 7, 7 + 528 * 0.125),
                counter("login_seconds_count", miss, 200, 728))
            .get(0);
    assertEquals("login", split.timer());
    assertEquals("result", split.label());
    assertEquals(
        List.of("miss", "hit"), split.parts().stream().map(TimerSplit.Part::value).toList());
    assertEquals(Duration.ofMillis(125), split.parts().get(0).mean());
    assertEquals(Duration.ofMillis(22), split.parts().get(1).mean());
    assertEquals(1_000, split.calls(), 1e-9);
    // 0.472 x 22 ms + 0.528 x 125 ms
    assertEquals(76.384, split.mean().toNanos() / 1e6, 1e-6);
  }

  @Test
  void aValueThatHardlyOccursIsLeftOut() {
    assertEquals(
        List.of(),
        splits(
            counter("login_seconds_sum", Map.of("result", "hit"), 0, 1),
            counter("login_seconds_count", Map.of("result", "hit"), 0, 100),
            counter("login_seconds_sum", Map.of("result", "error"), 0, 1),
            counter("login_seconds_count", Map.of("result", "error"), 0, 3)));
  }

  @Test
  void timersThatDifferInSeveralLabelsAreNotSplit() {
    Map<String, String> get = Map.of("command", "GET", "remote", "a");
    Map<String, String> set = Map.of("command", "SET", "remote", "b");
    assertEquals(
        List.of(),
        splits(
            counter("redis_seconds_sum", get, 0, 1),
            counter("redis_seconds_count", get, 0, 100),
            counter("redis_seconds_sum", set, 0, 1),
            counter("redis_seconds_count", set, 0, 100)));
  }
}
