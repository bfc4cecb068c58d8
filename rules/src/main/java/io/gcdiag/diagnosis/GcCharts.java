package io.gcdiag.diagnosis;

import io.gcdiag.diagnosis.Chart.Line;
import io.gcdiag.diagnosis.Chart.Style;
import io.gcdiag.diagnosis.Metric.Unit;
import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.HeapSample;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Series;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.TimeOrder;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Pauses, heap and allocation over time. */
final class GcCharts {

  private final Timeline timeline;

  /** Stands for a rate over no time at all; a heap never grows by less than nothing. */
  private static final double NONE = -1;

  GcCharts(Timeline timeline) {
    this.timeline = timeline;
  }

  Chart.Draft pauses() {
    List<Line> lines = new ArrayList<>();
    List<GcPause> pauses = timeline.pauses();
    if (!pauses.isEmpty()) {
      lines.add(
          ChartLines.line(
              "pauses of the collector",
              Style.BARS,
              GcPause::source,
              pauses,
              GcPause::start,
              pause -> pause.duration().toNanos()));
    }
    List<SafepointStop> stops = timeline.safepoints();
    if (!stops.isEmpty()) {
      lines.add(
          ChartLines.line(
              "other safepoints",
              Style.BARS,
              SafepointStop::source,
              stops,
              SafepointStop::start,
              stop -> stop.lost().toNanos()));
    }
    return new Chart.Draft(
        "pauses", "Pauses", Unit.NANOSECONDS, List.of("gc.pause", "request.met.pause"), lines);
  }

  Chart.Draft heap() {
    List<HeapSample> heap = timeline.heap();
    List<Line> lines = new ArrayList<>();
    if (heap.isEmpty()) {
      lines.addAll(ChartLines.exported(timeline, "used", MetricMeaning.HEAP_USED));
      lines.addAll(ChartLines.exported(timeline, "committed", MetricMeaning.HEAP_COMMITTED));
    } else {
      lines.add(
          ChartLines.line(
              "used",
              Style.LINE,
              HeapSample::source,
              heap,
              HeapSample::at,
              one -> one.used().value()));
      lines.add(
          ChartLines.line(
              "committed",
              Style.STEPS,
              HeapSample::source,
              heap,
              HeapSample::at,
              one -> one.committed().value()));
    }
    return new Chart.Draft("heap", "Heap", Unit.BYTES, List.of("heap."), lines);
  }

  Chart.Draft allocation() {
    Series sampled = timeline.allocation().sampledBytesPerSecond();
    List<Line> lines = new ArrayList<>();
    if (!sampled.isEmpty() && timeline.allocation().source().isPresent()) {
      String file = timeline.allocation().source().get().file();
      lines.add(
          ChartLines.line(
              "sampled",
              Style.STEPS,
              new Source(file, "jdk.ObjectAllocationSample"),
              List.copyOf(sampled.within(timeline.span()).entrySet()),
              second -> second.getKey(),
              second -> second.getValue()));
    } else if (!timeline.pauses().isEmpty()) {
      lines.add(
          ChartLines.line(
              "growth of the heap between collections",
              Style.STEPS,
              ChartLines.mostOf(timeline.pauses(), GcPause::source),
              growth()));
    }
    return new Chart.Draft(
        "allocation", "Allocation", Unit.BYTES_PER_SECOND, List.of("allocation."), lines);
  }

  /** What the heap grew by between one collection and the next, drawn from the first one on. */
  private List<MetricPoint> growth() {
    List<GcPause> pauses = TimeOrder.where(timeline.pauses(), pause -> pause.heap().isPresent());
    if (pauses.size() < 2) {
      return List.of();
    }
    boolean few = pauses.size() <= Thinning.MOST_POINTS;
    GcPause before = pauses.get(0);
    List<MetricPoint> points = new ArrayList<>();
    Thinning thinned = new Thinning(before.end(), pauses.get(pauses.size() - 1).end(), Style.STEPS);
    for (GcPause pause : pauses.subList(1, pauses.size())) {
      MetricPoint point = growth(before, pause);
      if (point.value() != NONE && few) {
        points.add(point);
      } else if (point.value() != NONE) {
        thinned.add(point);
      }
      before = pause;
    }
    return few ? points : thinned.points();
  }

  private static MetricPoint growth(GcPause before, GcPause after) {
    double seconds = Durations.seconds(Duration.between(before.end(), after.start()));
    Bytes left = before.heap().orElseThrow().usedAfter();
    double grown = after.heap().orElseThrow().usedBefore().minusOrZero(left).value();
    return new MetricPoint(before.end(), seconds > 0 ? grown / seconds : NONE);
  }
}
