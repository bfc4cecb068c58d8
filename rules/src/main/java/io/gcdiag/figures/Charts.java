package io.gcdiag.figures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.figures.Chart.Draft;
import io.gcdiag.figures.Chart.Line;
import io.gcdiag.figures.Chart.Style;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What the inputs hold over time, for the eye: the same figures that the rules read. */
public final class Charts {

  private final Timeline timeline;

  private Charts(Timeline timeline) {
    this.timeline = timeline;
  }

  /** The charts in the order of a report, what users felt first; none if nothing is dated. */
  public static List<Chart> of(Timeline timeline) {
    if (!timeline.dated()) {
      return List.of();
    }
    Charts charts = new Charts(timeline);
    GcCharts collector = new GcCharts(timeline);
    WaitCharts waits = new WaitCharts(timeline);
    return Stream.of(
            charts.latency(),
            collector.pauses(),
            collector.heap(),
            waits.waits(),
            charts.cpu(),
            collector.allocation(),
            charts.requests(),
            waits.pool(),
            waits.dumps())
        .map(Draft::chart)
        .flatMap(Optional::stream)
        .toList();
  }

  private Draft latency() {
    List<Line> lines = new ArrayList<>();
    timeline
        .mainRequestSeries()
        .ifPresent(
            series -> {
              if (series.hasMeansAlone()) {
                lines.add(latency(series, "mean", Latencies::mean));
              } else {
                lines.add(latency(series, 99));
                lines.add(latency(series, 50));
              }
            });
    return new Draft("latency", "Latency", Unit.NANOSECONDS, List.of("latency."), lines);
  }

  private static Line latency(RequestSeries series, int percentile) {
    return latency(
        series,
        "P" + percentile,
        latencies ->
            latencies.percentile(percentile).map(bound -> bound.atMost().orElse(bound.atLeast())));
  }

  private static Line latency(
      RequestSeries series, String title, Function<Latencies, Optional<Duration>> of) {
    List<MetricPoint> points = new ArrayList<>();
    for (RequestInterval interval : series.intervals()) {
      of.apply(interval.latencies())
          .ifPresent(value -> points.add(new MetricPoint(interval.from(), value.toNanos())));
    }
    return ChartLines.line(title, Style.LINE, series.source(), points);
  }

  private Draft requests() {
    List<Line> lines = new ArrayList<>();
    timeline
        .mainRequestSeries()
        .ifPresent(
            series -> {
              lines.add(rate(series, "requests", RequestInterval::requests));
              if (series.intervals().stream().anyMatch(interval -> interval.failed() > 0)) {
                lines.add(rate(series, "failed", RequestInterval::failed));
              }
            });
    return new Draft(
        "requests", "Requests", Unit.PER_SECOND, List.of("request.rate", "request.failed"), lines);
  }

  private static Line rate(
      RequestSeries series, String title, ToDoubleFunction<RequestInterval> count) {
    return ChartLines.line(
        title,
        Style.STEPS,
        series.source(),
        series.intervals(),
        RequestInterval::from,
        interval -> count.applyAsDouble(interval) / Durations.seconds(interval.length()));
  }

  private Draft cpu() {
    List<Line> lines = new ArrayList<>();
    if (timeline.cpu().isEmpty() || MachineLoad.isMetered(timeline)) {
      lines.addAll(ChartLines.exported(timeline, "machine", MetricMeaning.MACHINE_CPU));
      lines.addAll(ChartLines.exported(timeline, "this JVM", MetricMeaning.PROCESS_CPU));
    } else {
      lines.add(cpu("machine", CpuLoad::machineTotal));
      lines.add(cpu("this JVM", CpuLoad::jvm));
    }
    return new Draft("cpu", "CPU", Unit.RATIO, List.of("cpu.", "request.cpu"), lines);
  }

  private Line cpu(String title, ToDoubleFunction<CpuLoad> value) {
    return ChartLines.line(
        title, Style.LINE, timeline.recorded("jdk.CPULoad"), timeline.cpu(), CpuLoad::at, value);
  }
}
