package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.verdict.Scene;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
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
  void twoDumpsMakeNoChartAndThreeDo() {
    assertEquals(Optional.empty(), chart(Scene.of(60).dump(10, 0).dump(20, 5), "dumps"));
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
        name, name, Metric.Unit.RATIO, OptionalDouble.empty(), OptionalDouble.empty(), "");
  }
}
