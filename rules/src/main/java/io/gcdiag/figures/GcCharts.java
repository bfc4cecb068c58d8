package io.gcdiag.figures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Chart.Line;
import io.gcdiag.figures.Chart.Style;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.units.Nanos;
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
    Pauses pauses = timeline.pauses();
    if (!pauses.isEmpty()) {
      lines.add(ChartLines.line("GC pauses", Style.BARS, ChartValues.of(pauses)));
    }
    List<SafepointStop> stops = timeline.safepoints();
    if (!stops.isEmpty()) {
      lines.add(
          ChartLines.line(
              "other safepoints",
              Style.BARS,
              ChartValues.of(
                  stops,
                  SafepointStop::source,
                  SafepointStop::start,
                  stop -> stop.lost().toNanos())));
    }
    return new Chart.Draft(
        "pauses", "Pauses", Unit.NANOSECONDS, List.of("gc.pause", "request.met.pause"), lines);
  }

  Chart.Draft heap() {
    HeapSamples heap = timeline.heap();
    List<Line> lines = new ArrayList<>();
    if (heap.isEmpty()) {
      lines.addAll(ChartLines.exported(timeline, "used", MetricMeaning.HEAP_USED));
      lines.addAll(ChartLines.exported(timeline, "committed", MetricMeaning.HEAP_COMMITTED));
    } else {
      lines.add(ChartLines.line("used", Style.LINE, ChartValues.of(heap, heap::used)));
      lines.add(ChartLines.line("committed", Style.STEPS, ChartValues.of(heap, heap::committed)));
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
              "growth of the heap between GCs",
              Style.STEPS,
              ChartLines.mostOf(ChartValues.of(timeline.pauses())),
              growth()));
    }
    return new Chart.Draft(
        "allocation", "Allocation", Unit.BYTES_PER_SECOND, List.of("allocation."), lines);
  }

  /** What the heap grew by between one collection and the next, drawn from the first one on. */
  private List<MetricPoint> growth() {
    Pauses pauses = timeline.pauses().tellingHeap();
    if (pauses.size() < 2) {
      return List.of();
    }
    boolean few = pauses.size() <= PointThinning.MOST_POINTS;
    long first = pauses.endNanos(0);
    List<MetricPoint> points = new ArrayList<>();
    PointThinning thinned =
        new PointThinning(
            Nanos.instant(first), Nanos.instant(pauses.endNanos(pauses.size() - 1)), Style.STEPS);
    for (int i = 1; i < pauses.size(); i++) {
      long from = pauses.endNanos(i - 1);
      double growth = growth(pauses, i);
      if (growth != NONE && few) {
        points.add(new MetricPoint(Nanos.instant(from), growth));
      } else if (growth != NONE) {
        thinned.add(from - first, growth);
      }
    }
    return few ? points : thinned.points();
  }

  /** Bytes a second from the end of the pause before; {@link #NONE} if there was no time. */
  private static double growth(Pauses pauses, int index) {
    double seconds = Nanos.seconds(pauses.startNanos(index) - pauses.endNanos(index - 1));
    double grown = Math.max(0, pauses.usedBefore(index) - pauses.usedAfter(index - 1));
    return seconds > 0 ? grown / seconds : NONE;
  }
}
