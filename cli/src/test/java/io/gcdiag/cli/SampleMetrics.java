package io.gcdiag.cli;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The figures of {@link SampleDiagnosis}, before and during. */
final class SampleMetrics {

  private SampleMetrics() {}

  static List<Metric> all() {
    return List.of(
        // 1,250 / 308 - 1 = 3.0584: +305.8 %
        metric("gc.pause.sum", "GC pauses, sum", Unit.NANOSECONDS, 308e6, 1.25e9),
        // 80 / 70 - 1 = 0.1429: +14.3 %
        metric("gc.pause.count", "GC pauses", Unit.PER_MINUTE, 70, 80),
        // 813 / 798 - 1 = 0.0188: +1.9 %
        metric("requests", "Requests", Unit.PER_SECOND, 798, 813),
        metric("pool.waiting", "Threads waiting for a connection", Unit.THREADS, 0, 189),
        metric("cpu.machine", "CPU load of the machine", Unit.RATIO, 0.2, 0.9),
        metric("pool.usage", "Longest use of a connection", Unit.NANOSECONDS, 480e6, 480e6),
        new Metric(
            "heap.committed",
            "Heap committed",
            Unit.BYTES,
            OptionalDouble.empty(),
            OptionalDouble.of(Bytes.ofMebi(256).value()),
            new Origin(Optional.of(new Source("recording.jfr", "jdk.GCHeapSummary")), "", "")));
  }

  static Metric metric(String name, String title, Unit unit, double before, double during) {
    return new Metric(
        name,
        title,
        unit,
        OptionalDouble.of(before),
        OptionalDouble.of(during),
        new Origin(Optional.of(new Source("recording.jfr", "")), "", ""));
  }
}
