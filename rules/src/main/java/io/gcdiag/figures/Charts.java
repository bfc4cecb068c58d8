package io.gcdiag.figures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Chart.Draft;
import io.gcdiag.figures.Chart.Line;
import io.gcdiag.figures.Chart.MetricPoint;
import io.gcdiag.figures.Chart.Style;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What the inputs hold over time, for the eye: the same figures that the rules read. */
public record Charts(Timeline timeline) {

  /** Bounds of latencies, in steps of 1, 2 and 5: from 100 us to 200 s. */
  private static final List<Duration> BOUNDS =
      Stream.concat(
              Stream.of(Duration.ZERO),
              LongStream.iterate(100_000, nanos -> nanos < 200_000_000_000L, nanos -> 10 * nanos)
                  .boxed()
                  .flatMap(nanos -> Stream.of(nanos, 2 * nanos, 5 * nanos))
                  .map(Duration::ofNanos))
          .toList();

  /** Cells of more columns would be narrower than four pixels. */
  private static final int MOST_COLUMNS = 240;

  /** Fewer show no course of events. */
  private static final int FEWEST_COLUMNS = 5;

  /** The charts in the order of a report, user impact first; none if nothing is dated. */
  public static List<Chart> of(Timeline timeline) {
    if (!timeline.dated()) {
      return List.of();
    }
    Charts charts = new Charts(timeline);
    GcCharts collector = new GcCharts(timeline);
    WaitCharts waits = new WaitCharts(timeline);
    return Stream.of(
            charts.latency(),
            charts.spread(),
            collector.pauses(),
            collector.heap(),
            waits.waits(),
            waits.queue(),
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

  /** How many requests took how long: a row of cells for each range of latencies. */
  private Draft spread() {
    List<Line> lines = new ArrayList<>();
    timeline
        .mainRequestSeries()
        .filter(series -> !series.hasMeansAlone() && series.intervals().size() >= FEWEST_COLUMNS)
        .ifPresent(series -> lines.addAll(rows(series)));
    return new Draft("spread", "Requests by latency", Unit.COUNT, List.of(), lines);
  }

  private static List<Line> rows(RequestSeries series) {
    List<RequestInterval> columns = columns(series.intervals());
    List<Line> rows = new ArrayList<>();
    for (int i = 1; i < BOUNDS.size(); i++) {
      Duration from = BOUNDS.get(i - 1);
      Duration to = BOUNDS.get(i);
      List<MetricPoint> points =
          columns.stream()
              .map(
                  column ->
                      new MetricPoint(
                          column.from(),
                          column.latencies().upTo(to) - column.latencies().upTo(from)))
              .toList();
      String title = Durations.format(from) + " to " + Durations.format(to);
      rows.add(new Line(title, Style.CELLS, series.source(), points));
    }
    int first = 0;
    while (first < rows.size() && isEmpty(rows.get(first))) {
      first++;
    }
    int end = rows.size();
    while (end > first && isEmpty(rows.get(end - 1))) {
      end--;
    }
    return rows.subList(first, end);
  }

  private static boolean isEmpty(Line row) {
    return row.points().stream().allMatch(point -> point.value() == 0);
  }

  /** As many columns as the eye can separate, each the sum of neighbouring intervals. */
  private static List<RequestInterval> columns(List<RequestInterval> intervals) {
    int together = (intervals.size() + MOST_COLUMNS - 1) / MOST_COLUMNS;
    List<RequestInterval> columns = new ArrayList<>();
    for (int i = 0; i < intervals.size(); i += together) {
      columns.add(
          intervals.subList(i, Math.min(i + together, intervals.size())).stream()
              .reduce(RequestInterval::plus)
              .orElseThrow());
    }
    return columns;
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

  /** Pauses, heap and allocation over time. */
  private record GcCharts(Timeline timeline) {

    /** Stands for a rate over no time at all; a heap never grows by less than nothing. */
    private static final double NONE = -1;

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
      Series sampled = timeline.profiles().allocation().sampledBytesPerSecond();
      List<Line> lines = new ArrayList<>();
      if (!sampled.isEmpty() && timeline.profiles().allocation().source().isPresent()) {
        String file = timeline.profiles().allocation().source().get().file();
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

  /** What threads waited for, and what dumps saw them at, over time. */
  private record WaitCharts(Timeline timeline) {

    /** A single one stands in the table of stations. */
    private static final int FEWEST_DUMPS = 2;

    /** Threads of users that wait, by what they wait for. */
    Chart.Draft waits() {
      List<Line> lines = new ArrayList<>();
      for (WaitKind kind : WaitKind.values()) {
        List<WaitSeries> series = kind.title().isEmpty() ? List.of() : UserWaits.of(timeline, kind);
        if (!series.isEmpty()) {
          WaitingThreads threads = WaitingThreads.at(series);
          lines.add(
              ChartLines.line(
                  kind.title(),
                  Style.LINE,
                  ChartLines.mostOf(
                      ChartValues.of(series, WaitSeries::source, any -> Instant.EPOCH, any -> 0)),
                  threads.changes(),
                  at -> at,
                  threads::at));
        }
      }
      return new Chart.Draft(
          "waits",
          "Threads waiting",
          Unit.THREADS,
          List.of("pool.waiting", "pool.acquire", "downstream.waiting", "lock.waiting"),
          lines);
    }

    /** The queue for a connection: who begins to wait when, how many wait, and what is free. */
    Chart.Draft queue() {
      List<Line> lines = new ArrayList<>();
      List<WaitSeries> waits = UserWaits.of(timeline, WaitKind.POOL);
      if (!waits.isEmpty()) {
        WaitingThreads threads = WaitingThreads.at(waits);
        Source source = waits.get(0).source();
        lines.add(
            ChartLines.line(
                "threads waiting", Style.LINE, source, threads.changes(), at -> at, threads::at));
        lines.add(
            ChartLines.line(
                "arrivals that wait, in 100 ms",
                Style.BARS,
                source,
                threads.changes(),
                at -> at,
                at ->
                    WaitSeries.totals(waits, new Window(at, at.plus(WaitSeries.BUCKET))).count()));
        lines.addAll(ChartLines.exported(timeline, "free connections", MetricMeaning.POOL_IDLE));
      }
      return new Chart.Draft("queue", "Queue for a connection", Unit.COUNT, List.of(), lines);
    }

    /** What the pool says of itself. */
    Chart.Draft pool() {
      List<Line> lines = new ArrayList<>();
      lines.addAll(ChartLines.exported(timeline, "waiting", MetricMeaning.POOL_PENDING));
      lines.addAll(ChartLines.exported(timeline, "connections in use", MetricMeaning.POOL_ACTIVE));
      lines.addAll(
          ChartLines.exported(
              timeline, "request threads busy", MetricMeaning.REQUEST_THREADS_BUSY));
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
                    Style.STACKED,
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

  /** How evidence becomes lines of a chart. */
  private static final class ChartLines {

    /** Lines of more pools could not be distinguished in a chart. */
    private static final int MOST_EXPORTED = 3;

    /** Dumps are many files; a line names some of them. */
    private static final int MOST_SOURCES = 20;

    /** A line of as many points as can be seen. */
    static Line line(String title, Style style, Source source, List<MetricPoint> points) {
      return new Line(title, style, source, PointThinning.thin(points, style));
    }

    /** A line with a point for every piece of evidence. */
    static <T> Line line(
        String title,
        Style style,
        Source source,
        List<T> evidence,
        Function<T, Instant> at,
        ToDoubleFunction<T> value) {
      ChartValues course = ChartValues.of(evidence, any -> source, at, value);
      return new Line(title, style, source, points(course, style));
    }

    /** A line with a point for every one of a course, after the place that gave most of them. */
    static Line line(String title, Style style, ChartValues course) {
      List<Source> sources = sources(course);
      return new Line(
          title, style, sources.get(0), sources.subList(1, sources.size()), points(course, style));
    }

    private static List<MetricPoint> points(ChartValues course, Style style) {
      if (course.size() <= PointThinning.MOST_POINTS) {
        return IntStream.range(0, course.size())
            .mapToObj(
                i ->
                    new MetricPoint(
                        Nanos.instant(course.at().applyAsLong(i)), course.value().applyAsDouble(i)))
            .toList();
      }
      long first = course.at().applyAsLong(0);
      long last = course.at().applyAsLong(course.size() - 1);
      PointThinning thinning = new PointThinning(Nanos.instant(first), Nanos.instant(last), style);
      for (int i = 0; i < course.size(); i++) {
        thinning.add(course.at().applyAsLong(i) - first, course.value().applyAsDouble(i));
      }
      return thinning.points();
    }

    /** Where most of a course was read. */
    static Source mostOf(ChartValues course) {
      return sources(course).get(0);
    }

    /** Where a course was read, those places first that gave most of it. */
    private static List<Source> sources(ChartValues course) {
      Map<Source, Long> counts = new LinkedHashMap<>();
      int i = 0;
      while (i < course.size()) {
        int first = i;
        String file = course.file().apply(i);
        // Of a log nearly all is read in the same file, line by line.
        while (i < course.size()
            && course.line().applyAsLong(i) != Source.NO_LINE
            && course.file().apply(i).equals(file)) {
          i++;
        }
        if (i > first) {
          counts.merge(new Source(file, ""), (long) i - first, Long::sum);
        } else {
          counts.merge(kind(course.source().apply(i++)), 1L, Long::sum);
        }
      }
      return counts.entrySet().stream()
          .sorted(Map.Entry.<Source, Long>comparingByValue().reversed())
          .map(Map.Entry::getKey)
          .limit(MOST_SOURCES)
          .toList();
    }

    /** The gauges of metric exports with that meaning, those with the most points first. */
    static List<Line> exported(Timeline timeline, String title, MetricMeaning meaning) {
      List<MetricSeries> series =
          timeline.metrics(meaning).stream()
              .filter(one -> !one.counter())
              .sorted(Comparator.comparingInt((MetricSeries one) -> -one.points().size()))
              .limit(MOST_EXPORTED)
              .toList();
      return series.stream()
          .map(
              one ->
                  line(
                      series.size() == 1 || one.labels().isEmpty()
                          ? title
                          : title + " " + String.join(" ", one.labels().values()),
                      Style.LINE,
                      one.source(),
                      one.points(),
                      MetricSeries.Point::at,
                      MetricSeries.Point::value))
          .toList();
    }

    /** The file and the kind of event, without the number of one of them. */
    private static Source kind(Source source) {
      if (source.isLine()) {
        return new Source(source.file(), "");
      }
      String place = source.place();
      int end = place.indexOf(' ');
      return new Source(source.file(), end < 0 ? place : place.substring(0, end));
    }
  }

  /**
   * Evidence as a line of a chart asks for it, without an object for each point: a log may have a
   * million of them, of which a line shows some hundred.
   *
   * @param size how many points there are, by time
   * @param at when one is, in nanoseconds since 1970
   * @param file the file in which it was read
   * @param line the line there, or {@link io.gcdiag.evidence.time.Source#NO_LINE}
   * @param source where it was read, if that is no line
   */
  private record ChartValues(
      int size,
      IntToLongFunction at,
      IntToDoubleFunction value,
      IntFunction<String> file,
      IntToLongFunction line,
      IntFunction<Source> source) {

    /** The lengths of pauses, in nanoseconds. */
    static ChartValues of(Pauses pauses) {
      return new ChartValues(
          pauses.size(),
          pauses::startNanos,
          pauses::nanos,
          pauses::file,
          pauses::line,
          i -> pauses.get(i).source());
    }

    /** One of the figures of the heap. */
    static ChartValues of(HeapSamples heap, IntToDoubleFunction value) {
      return new ChartValues(
          heap.size(), heap::atNanos, value, heap::file, heap::line, i -> heap.get(i).source());
    }

    /** Evidence with an object for each point. */
    static <T> ChartValues of(
        List<T> evidence,
        Function<T, Source> source,
        Function<T, Instant> at,
        ToDoubleFunction<T> value) {
      return new ChartValues(
          evidence.size(),
          i -> Nanos.since1970(at.apply(evidence.get(i))),
          i -> value.applyAsDouble(evidence.get(i)),
          i -> source.apply(evidence.get(i)).file(),
          i -> source.apply(evidence.get(i)).line().orElse(Source.NO_LINE),
          i -> source.apply(evidence.get(i)));
    }
  }

  /**
   * Leaves so many points that a line looks the same. The span is cut into equal slices, of which
   * each keeps its highest and its lowest point at their own times: peaks are what a reader looks
   * for, and a mean would hide them. Points are taken one by one, by time: a log may have a
   * million.
   */
  static final class PointThinning {

    /**
     * Twice the width in pixels at which charts are drawn: more cannot be seen, and a report of an
     * hour stays small enough to be mailed.
     */
    static final int MOST_POINTS = 2_000;

    private final int kept;
    private final int slices;
    private final Instant first;
    private final long nanos;
    private final List<MetricPoint> left = new ArrayList<>();
    private final List<MetricPoint> few = new ArrayList<>();
    private long current;
    private int size;
    private long highestAt;
    private double highest;
    private long lowestAt;
    private double lowest;

    /** Thins the points between two instants. */
    PointThinning(Instant first, Instant last, Style style) {
      // Of what happens at one instant only the highest is seen: bars begin at zero.
      this.kept = style == Style.BARS ? 1 : 2;
      this.slices = MOST_POINTS / kept;
      this.first = first;
      this.nanos = Duration.between(first, last).toNanos() + 1;
    }

    /** The points that matter, by time. */
    static List<MetricPoint> thin(List<MetricPoint> points, Style style) {
      if (points.size() <= MOST_POINTS) {
        return points;
      }
      PointThinning thinning =
          new PointThinning(points.get(0).at(), points.get(points.size() - 1).at(), style);
      points.forEach(thinning::add);
      return thinning.points();
    }

    /** Takes the next point. */
    void add(MetricPoint point) {
      add(Duration.between(first, point.at()).toNanos(), point.value());
    }

    /** Takes the next point, which lies so many nanoseconds after the first. */
    void add(long sinceFirst, double value) {
      long slice = (long) ((double) sinceFirst / nanos * slices);
      if (slice != current) {
        keep();
        current = slice;
      }
      if (size == 0 || value > highest) {
        highest = value;
        highestAt = sinceFirst;
      }
      if (size == 0 || value < lowest) {
        lowest = value;
        lowestAt = sinceFirst;
      }
      if (size < kept) {
        few.add(point(sinceFirst, value));
      }
      size++;
    }

    private MetricPoint point(long sinceFirst, double value) {
      return new MetricPoint(first.plusNanos(sinceFirst), value);
    }

    /** What is left of the points taken. */
    List<MetricPoint> points() {
      keep();
      return left;
    }

    private void keep() {
      if (size <= kept) {
        left.addAll(few);
      } else if (kept == 1) {
        left.add(point(highestAt, highest));
      } else {
        boolean lowestFirst = lowestAt < highestAt;
        left.add(lowestFirst ? point(lowestAt, lowest) : point(highestAt, highest));
        left.add(lowestFirst ? point(highestAt, highest) : point(lowestAt, lowest));
      }
      few.clear();
      size = 0;
    }
  }
}
