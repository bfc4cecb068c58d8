package io.gcdiag.causes.cores;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The load average where nothing says how full the cores are. It proves no wait for CPU: threads
 * that wait for a disk count on Linux, it is of the whole machine and not of a container, and it
 * lags by a minute. With less of them than cores, none waits for long.
 */
final class LoadAverage {

  private LoadAverage() {}

  static Optional<Finding> of(String rule, Case incident) {
    int cores = MachineLoad.cores(incident.timeline());
    // Of several machines, which one the service is on is not known: the busiest.
    Optional<MetricSeries> busiest =
        incident.timeline().metrics(MetricMeaning.LOAD_AVERAGE).stream()
            .filter(series -> mean(series, incident.window()).isPresent())
            .max(Comparator.comparingDouble(one -> mean(one, incident.window()).getAsDouble()));
    return cores == 0 || incident.timeline().sees(Signal.CPU_LOAD)
        ? Optional.empty()
        : busiest.map(series -> finding(rule, incident, series, cores));
  }

  private static Finding finding(String rule, Case incident, MetricSeries series, int cores) {
    double now = mean(series, incident.window()).orElseThrow();
    OptionalDouble before =
        incident.baseline().map(baseline -> mean(series, baseline)).orElse(OptionalDouble.empty());
    FindingBuilder finding =
        Finding.of(
                rule,
                "load average %s%s on %s%s"
                    .formatted(
                        before.isPresent()
                            ? Numbers.threeDigits(before.getAsDouble()) + " -> "
                            : "",
                        Numbers.threeDigits(now),
                        Numbers.counted(cores, "CPU"),
                        now > cores
                            ? ": threads of the machine wait for CPU, or for a disk, which counts"
                                + " as well"
                            : ""))
            .value("loadAverage", now)
            .value("cores", cores)
            .from(series.source());
    return now > cores
        ? finding.accompanies(Hypothesis.CPU_SATURATION).build()
        : finding.weakens(Hypothesis.CPU_SATURATION).build();
  }

  private static OptionalDouble mean(MetricSeries series, Window window) {
    return Meter.inside(series, window).stream().mapToDouble(Point::value).average();
  }
}
