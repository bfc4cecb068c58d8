package io.gcdiag.loadtests;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.units.Durations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/** Every series that the inputs hold, by the intervals of the tail. */
final class Candidates {

  private final Timeline timeline;
  private final Tail tail;
  private final Grid grid;

  /** Intervals of which recording or log can tell. */
  private final boolean[] recorded;

  private final List<Candidate> found = new ArrayList<>();

  private Candidates(Timeline timeline, Tail tail) {
    this.timeline = timeline;
    this.tail = tail;
    this.grid = tail.grid();
    this.recorded = Readings.inside(grid, timeline.span());
  }

  /** Those of recordings and logs first, then the load test's own, then metric exports. */
  static List<Candidate> of(Timeline timeline, Tail tail) {
    Candidates candidates = new Candidates(timeline, tail);
    candidates.pauses();
    candidates.cpu("CPU used by the JVM", CpuLoad::jvm);
    candidates.cpu("CPU used by other processes", load -> load.machineTotal() - load.jvm());
    candidates.cpu("CPU used on the machine", CpuLoad::machineTotal);
    candidates.waits(WaitKind.POOL, "threads waiting for a pooled connection");
    candidates.waits(WaitKind.DOWNSTREAM, "threads waiting for downstream calls");
    candidates.waits(WaitKind.LOCK, "threads waiting for locks");
    candidates.waits(WaitKind.FILE, "threads waiting for file I/O");
    candidates.heap();
    candidates.allocation();
    candidates.requests();
    candidates.found.addAll(MetricCandidates.of(timeline, tail));
    return List.copyOf(candidates.found);
  }

  /** What an operator would ask of first and the inputs do not hold, with where to get it. */
  static Optional<String> missing(Timeline timeline) {
    List<String> missing = new ArrayList<>();
    if (timeline.pausesByFile().isEmpty() && none(timeline, MetricMeaning.GC_PAUSE_SECONDS)) {
      missing.add("GC pauses (a GC log or a recording)");
    }
    if (timeline.cpu().isEmpty()
        && none(timeline, MetricMeaning.PROCESS_CPU)
        && none(timeline, MetricMeaning.PROCESS_CPU_SECONDS)
        && none(timeline, MetricMeaning.MACHINE_CPU)) {
      missing.add("CPU (a recording or process_cpu_usage)");
    }
    if (timeline.waits(WaitKind.POOL).isEmpty()
        && none(timeline, MetricMeaning.POOL_PENDING)
        && none(timeline, MetricMeaning.POOL_ACQUIRE_SECONDS)) {
      missing.add("waits for connections (a recording or the pool's meters)");
    }
    if (none(timeline, MetricMeaning.CACHE_MISSES)) {
      missing.add("cache misses (cache_gets_total)");
    }
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("not in the files: " + String.join(", ", missing));
  }

  private static boolean none(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics(meaning).isEmpty();
  }

  private void add(String name, Source source, double[] values) {
    found.add(new Candidate(name, source, values));
  }

  /** One value for each interval that recording or log covers. */
  private double[] covered(IntToDoubleFunction value) {
    double[] values = new double[grid.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = recorded[i] ? value.applyAsDouble(i) : Double.NaN;
    }
    return values;
  }

  private void pauses() {
    if (timeline.pausesByFile().isEmpty()) {
      return;
    }
    double[] stopped = new double[grid.count()];
    for (GcPause pause : timeline.pauses()) {
      Readings.overlaps(
          grid, pause.start(), pause.duration(), (index, inside) -> stopped[index] += inside);
    }
    add(
        "time stopped in GC pauses",
        new Source(String.join(", ", timeline.pausesByFile().keySet()), ""),
        covered(i -> stopped[i]));
  }

  private void cpu(String name, ToDoubleFunction<CpuLoad> share) {
    List<Point> points =
        timeline.cpu().stream()
            .map(load -> new Point(load.at(), share.applyAsDouble(load)))
            .toList();
    if (points.isEmpty()) {
      return;
    }
    add(name, timeline.recorded("jdk.CPULoad"), Readings.means(grid, points));
  }

  private void waits(WaitKind kind, String name) {
    List<WaitSeries> series = UserWaits.of(timeline, kind);
    if (!series.isEmpty()) {
      double seconds = Durations.seconds(grid.step());
      add(
          name,
          series.get(0).source(),
          covered(i -> WaitSeries.seconds(series, grid.window(i)) / seconds));
    }
  }

  private void heap() {
    List<HeapSample> after =
        timeline.heap().stream()
            .filter(sample -> sample.moment() == HeapSample.Moment.AFTER_COLLECTION)
            .toList();
    if (after.isEmpty()) {
      return;
    }
    double[] sums = new double[grid.count()];
    int[] counts = new int[grid.count()];
    for (HeapSample sample : after) {
      int index = grid.index(sample.at());
      if (grid.holds(index)) {
        sums[index] += sample.used().value();
        counts[index]++;
      }
    }
    double[] means = new double[grid.count()];
    Arrays.setAll(means, i -> counts[i] == 0 ? Double.NaN : sums[i] / counts[i]);
    Source source = new Source(after.get(0).source().file(), "");
    add("heap after GC", source, means);
  }

  private void allocation() {
    double[] rates = new double[grid.count()];
    Arrays.fill(rates, Double.NaN);
    Optional<Source> source = Optional.empty();
    for (int i = 0; i < rates.length; i++) {
      Optional<AllocationRate> rate =
          recorded[i] ? AllocationRate.of(timeline, grid.window(i)) : Optional.empty();
      if (rate.isPresent()) {
        rates[i] = rate.get().bytesPerSecond();
        source = Optional.of(rate.get().source());
      }
    }
    source.ifPresent(read -> add("bytes allocated per second", read, rates));
  }

  private void requests() {
    if (tail.requests().isEmpty()) {
      return;
    }
    double seconds = Durations.seconds(grid.step());
    double[] rate = new double[grid.count()];
    double[] failed = new double[grid.count()];
    for (int i = 0; i < rate.length; i++) {
      RequestInterval requests = tail.requests().get(i);
      rate[i] = requests.requests() / seconds;
      failed[i] =
          requests.requests() == 0 ? Double.NaN : (double) requests.failed() / requests.requests();
    }
    add("requests per second", tail.source(), rate);
    add("share of requests that failed", tail.source(), failed);
  }
}
