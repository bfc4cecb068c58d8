package io.gcdiag.figures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Chart.Line;
import io.gcdiag.figures.Chart.Style;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.UserWaits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What threads waited for, and what dumps saw them at, over time. */
final class WaitCharts {

  /** Kinds of waiting that keep users waiting, as one names them in a legend. */
  private static final Map<WaitKind, String> KINDS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(WaitKind.POOL, "for a connection"),
              Map.entry(WaitKind.DOWNSTREAM, "for a downstream call"),
              Map.entry(WaitKind.LOCK, "for a lock"),
              Map.entry(WaitKind.LOG_QUEUE, "for a log queue"),
              Map.entry(WaitKind.DIRECT_MEMORY, "for direct memory"),
              Map.entry(WaitKind.CLIENT, "for a client"),
              Map.entry(WaitKind.FILE, "for file I/O"),
              Map.entry(WaitKind.SLEEP, "sleeping"),
              Map.entry(WaitKind.PINNED, "pinned to a carrier"),
              Map.entry(WaitKind.ALLOCATION_STALL, "for the collector"),
              Map.entry(WaitKind.OTHER, "for a latch or condition")));

  /** One thread that a sample finds there may be connected the next moment. */
  private static final double FEWEST_CONNECTING = 2;

  /** Two points make no course of events. */
  private static final int FEWEST_DUMPS = 3;

  private final Timeline timeline;

  WaitCharts(Timeline timeline) {
    this.timeline = timeline;
  }

  /** Threads of users that wait, by what they wait for. */
  Chart.Draft waits() {
    List<Line> lines = new ArrayList<>();
    KINDS.forEach(
        (kind, title) -> {
          List<WaitSeries> series = UserWaits.of(timeline, kind);
          if (!series.isEmpty()) {
            WaitingThreads threads = WaitingThreads.at(series);
            lines.add(
                ChartLines.line(
                    title,
                    Style.LINE,
                    ChartLines.mostOf(
                        ChartValues.of(series, WaitSeries::source, any -> Instant.EPOCH, any -> 0)),
                    threads.changes(),
                    at -> at,
                    threads::at));
          }
        });
    NavigableMap<Instant, Double> connecting = ConnectWaits.of(timeline).overTime();
    if (connecting.values().stream().anyMatch(threads -> threads >= FEWEST_CONNECTING)) {
      Source samples = timeline.recorded("jdk.NativeMethodSample");
      lines.add(
          ChartLines.line(
              "to connect",
              Style.LINE,
              samples,
              List.copyOf(connecting.entrySet()),
              Map.Entry::getKey,
              Map.Entry::getValue));
    }
    return new Chart.Draft(
        "waits",
        "Threads waiting",
        Unit.THREADS,
        List.of("pool.waiting", "pool.acquire", "downstream.waiting", "lock.waiting"),
        lines);
  }

  /** What the pool says of itself. */
  Chart.Draft pool() {
    List<Line> lines = new ArrayList<>();
    lines.addAll(ChartLines.exported(timeline, "waiting", MetricMeaning.POOL_PENDING));
    lines.addAll(ChartLines.exported(timeline, "connections in use", MetricMeaning.POOL_ACTIVE));
    lines.addAll(
        ChartLines.exported(timeline, "request threads busy", MetricMeaning.REQUEST_THREADS_BUSY));
    return new Chart.Draft(
        "pool", "Pool and workers", Unit.COUNT, List.of("pool.", "workers."), lines);
  }

  /** What thread dumps saw. */
  Chart.Draft dumps() {
    List<ThreadSnapshot> dumps =
        timeline.dumps().stream().filter(dump -> dump.at().isPresent()).toList();
    List<Line> lines = new ArrayList<>();
    if (dumps.size() >= FEWEST_DUMPS) {
      for (ThreadActivity activity : ThreadActivity.values()) {
        boolean seen = dumps.stream().anyMatch(dump -> dump.count(activity) > 0);
        if (seen && activity != ThreadActivity.OTHER) {
          lines.add(
              ChartLines.line(
                  activity.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                  Style.POINTS,
                  ChartValues.of(
                      dumps,
                      ThreadSnapshot::source,
                      dump -> dump.at().orElseThrow(),
                      dump -> dump.count(activity))));
        }
      }
    }
    return new Chart.Draft("dumps", "Threads in dumps", Unit.THREADS, List.of("threads."), lines);
  }
}
