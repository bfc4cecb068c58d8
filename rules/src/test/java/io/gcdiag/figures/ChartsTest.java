package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Chart.MetricPoint;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChartsTest {

  private static Optional<Chart> chart(Scene scene, String id) {
    return Charts.of(scene.timeline()).stream().filter(c -> c.id().equals(id)).findFirst();
  }

  @Test
  void whatIsNotInTheInputsHasNoChart() {
    assertEquals(List.of(), Charts.of(Scene.of(60).timeline()));
  }

  @Test
  void everyPauseIsABarOfItsLength() {
    Chart pauses = chart(Scene.of(60).pause(Scene.RECORDING, 10, 31), "pauses").orElseThrow();
    assertEquals(List.of(new MetricPoint(Scene.at(10), 31e6)), pauses.lines().get(0).points());
    assertTrue(pauses.shows(new Source(Scene.RECORDING, "jdk.GCPhasePause gcId 7")));
    assertFalse(pauses.shows(new Source(Scene.RECORDING, "jdk.GCPhasePauseLevel1")));
    assertFalse(pauses.shows(new Source("gc.log", "7")));
  }

  @Test
  void waitsOfAllSitesOfAKindAreOneLineThatReturnsToZero() {
    Chart waits =
        chart(
                Scene.of(60)
                    .waiting(WaitKind.POOL, "HikariCP", 10, 11, 3)
                    .waiting(WaitKind.POOL, "Jedis", 10, 11, 2),
                "waits")
            .orElseThrow();
    Chart.Line line = waits.lines().get(0);
    assertEquals("for a connection", line.title());
    // Ten buckets of 100 ms with 3 + 2 threads, and a zero on either side.
    assertEquals(12, line.points().size());
    assertEquals(new MetricPoint(Scene.at(9.9), 0), line.points().get(0));
    assertEquals(new MetricPoint(Scene.at(10), 5), line.points().get(1));
    assertEquals(new MetricPoint(Scene.at(11), 0), line.points().get(11));
    assertEquals(OptionalDouble.of(5), line.highest(Scene.window(0, 60)));
    // No request waits any more: that is zero, and not unknown.
    assertEquals(OptionalDouble.of(0), line.highest(Scene.window(30, 60)));
  }

  @Test
  void theQueueForAConnectionCountsWhoBeginsToWait() {
    Chart queue =
        chart(Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 10, 11, 3), "queue").orElseThrow();
    assertEquals(List.of("threads waiting", "arrivals that wait, in 100 ms"), titles(queue));
    // Three threads begin in the bucket at 10 s, and stay for a second.
    assertEquals(
        List.of(new MetricPoint(Scene.at(10), 3)),
        queue.lines().get(1).points().stream().filter(point -> point.value() > 0).toList());
    assertEquals(new MetricPoint(Scene.at(10.5), 3), queue.lines().get(0).points().get(6));
  }

  private static List<String> titles(Chart chart) {
    return chart.lines().stream().map(Chart.Line::title).toList();
  }

  private static Latencies latencies(int... millis) {
    Latencies.Counter counter = new Latencies.Counter();
    IntStream.of(millis).forEach(one -> counter.add(Duration.ofMillis(one)));
    return counter.latencies();
  }

  @Test
  void requestsAreCountedByRangeOfLatencyAndSecond() {
    Latencies quick = latencies(3, 4, 7);
    Latencies slow = latencies(4, 30, 40);
    Chart spread =
        chart(Scene.of(60).latencies(quick, quick, quick, slow, slow), "spread").orElseThrow();
    // No request took less than 2 ms or more than 50; the row without one in between stays.
    assertEquals(
        List.of("2 ms to 5 ms", "5 ms to 10 ms", "10 ms to 20 ms", "20 ms to 50 ms"),
        titles(spread));
    assertEquals(List.of(2.0, 2.0, 2.0, 1.0, 1.0), values(spread.lines().get(0)));
    assertEquals(List.of(1.0, 1.0, 1.0, 0.0, 0.0), values(spread.lines().get(1)));
    assertEquals(List.of(0.0, 0.0, 0.0, 0.0, 0.0), values(spread.lines().get(2)));
    assertEquals(List.of(0.0, 0.0, 0.0, 2.0, 2.0), values(spread.lines().get(3)));
  }

  @Test
  void manySecondsAreOneColumnTogetherAndNoRequestIsLost() {
    Latencies[] hour = new Latencies[500];
    Arrays.fill(hour, latencies(3));
    Chart spread = chart(Scene.of(500).latencies(hour), "spread").orElseThrow();
    // 500 seconds in at most 240 columns: three together, 167 of them, the last of two.
    List<Double> row = values(spread.lines().get(0));
    assertEquals(167, row.size());
    assertEquals(3, row.get(0));
    assertEquals(2, row.get(166));
  }

  private static List<Double> values(Chart.Line line) {
    return line.points().stream().map(MetricPoint::value).toList();
  }

  @Test
  void oneDumpMakesNoChartAndThreeDo() {
    assertEquals(Optional.empty(), chart(Scene.of(60).dump(10, 5), "dumps"));
    Scene three = Scene.of(60).dump(10, 0).dump(20, 5).dump(30, 187);
    Chart dumps = chart(three, "dumps").orElseThrow();
    assertEquals(
        List.of(0.0, 5.0, 187.0),
        dumps.lines().get(0).points().stream().map(MetricPoint::value).toList());
  }

  @Test
  void aMetricIsShownByTheChartThatIsNamedForIt() {
    Chart cpu = chart(Scene.of(60).cpu(0, 60, 0.5, 0.9), "cpu").orElseThrow();
    assertEquals(60, cpu.lines().get(0).points().size());
    assertTrue(cpu.shows(metric("cpu.machine")));
    assertFalse(cpu.shows(metric("heap.committed")));
  }

  private static Metric metric(String name) {
    return new Metric(
        name,
        name,
        Metric.Unit.RATIO,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Metric.Origin.words(""));
  }
}
