package io.gcdiag.cli;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Chart;
import io.gcdiag.figures.Chart.Line;
import io.gcdiag.figures.Chart.MetricPoint;
import io.gcdiag.figures.Chart.Style;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.units.Bytes;
import java.util.List;

/** Charts put together by hand. */
final class SampleCharts {

  private SampleCharts() {}

  static List<Chart> charts(Window incident) {
    Source heap = new Source("recording.jfr", "jdk.GCHeapSummary");
    return List.of(
        new Chart(
            "pauses",
            "Pauses",
            Unit.NANOSECONDS,
            List.of("gc.pause"),
            List.of(
                new Line(
                    "GC pauses",
                    Style.BARS,
                    new Source("recording.jfr", "jdk.GCPhasePause"),
                    points(incident, 4e6, 15.6e6, 31e6)))),
        new Chart(
            "heap",
            "Heap",
            Unit.BYTES,
            List.of("heap."),
            List.of(
                new Line(
                    "used", Style.LINE, heap, points(incident, mebi(120), mebi(202), mebi(230))),
                new Line(
                    "committed",
                    Style.STEPS,
                    heap,
                    points(incident, mebi(256), mebi(256), mebi(339))))));
  }

  static Chart quoting(String text, Window incident) {
    return new Chart(
        "quote",
        text,
        Unit.THREADS,
        List.of(text),
        List.of(
            new Line(text, Style.LINE, new Source("f" + text, "x" + text), points(incident, 1))));
  }

  private static double mebi(long count) {
    return Bytes.ofMebi(count).value();
  }

  /** One point every ten seconds, the first of them a minute before the incident. */
  private static List<MetricPoint> points(Window incident, double... values) {
    return java.util.stream.IntStream.range(0, values.length)
        .mapToObj(i -> new MetricPoint(incident.from().plusSeconds(60L * i - 60), values[i]))
        .toList();
  }
}
