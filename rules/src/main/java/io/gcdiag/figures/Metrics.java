package io.gcdiag.figures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Metric.Range;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.HeapRoom;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.ResourceText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The figures of the report's first table, before and during. */
public final class Metrics {

  private static final Map<String, List<String>> TEXTS =
      ResourceText.table(Metrics.class, "metrics.txt");

  private final Timeline timeline;
  private final Case given;
  private final Window incident;
  private final Optional<Window> baseline;
  private final List<Metric> metrics = new ArrayList<>();

  private Metrics(Case incident) {
    this.given = incident;
    this.timeline = incident.timeline();
    this.incident = incident.window();
    this.baseline = incident.baseline();
  }

  /** The figures that the inputs hold, in the order of the report. */
  public static List<Metric> of(Case incident) {
    Metrics metrics = new Metrics(incident);
    RequestMetrics requests = new RequestMetrics(metrics, incident.timeline());
    requests.requests();
    requests.pool();
    metrics.pauses();
    metrics.heap();
    metrics.waits();
    metrics.cpu();
    requests.perRequest(incident);
    return metrics.metrics;
  }

  private void pauses() {
    if (!timeline.sees(Signal.GC_PAUSES) && CollectorMeters.of(timeline).isEmpty()) {
      return;
    }
    String source =
        PauseTotals.of(timeline, incident)
            .source()
            .or(() -> baseline.flatMap(baseline -> PauseTotals.of(timeline, baseline).source()))
            .map(Source::toString)
            .orElse("");
    pause("gc.pause.count", source, PauseTotals::countPerMinute);
    pause("gc.pause.sum", source, totals -> totals.sumPerMinute().toNanos());
    pause(
        "gc.pause.mean",
        source,
        totals -> totals.count() == 0 ? Double.NaN : totals.meanSeconds() * 1e9);
    pause(
        "gc.pause.max",
        source,
        totals -> totals.count() == 0 ? Double.NaN : totals.longest().toNanos());
    pause("gc.pause.share", source, PauseTotals::shareStopped);
  }

  private void pause(String name, String source, ToDoubleFunction<PauseTotals> value) {
    both(
        name,
        source,
        window -> {
          double figure = value.applyAsDouble(PauseTotals.of(timeline, window));
          // Without a pause there is no mean and no longest one.
          return Double.isNaN(figure) ? OptionalDouble.empty() : OptionalDouble.of(figure);
        });
  }

  private void heap() {
    heap("heap.used.after", room -> room.typical().used().value());
    heap("heap.committed", room -> room.typical().committed().value());
    heap("heap.free.ratio", room -> room.freeRatio().value());
    String young =
        Survival.of(timeline, incident).map(found -> found.source().toString()).orElse("");
    both(
        "heap.promoted",
        young,
        window -> Numbers.of(Survival.of(timeline, window), found -> found.promotedPerMinute()));
    both(
        "heap.survival",
        young,
        window -> Numbers.of(Survival.of(timeline, window), found -> found.share()));
    both(
        "allocation.rate",
        given.allocation(incident).map(r -> r.source().toString()).orElse(""),
        window -> Numbers.of(given.allocation(window), rate -> rate.bytesPerSecond()));
  }

  private void heap(String name, ToDoubleFunction<HeapRoom> value) {
    String source =
        timeline.heap(incident).stream().findFirst().map(s -> s.source().file()).orElse("");
    both(
        name,
        source,
        window -> Numbers.of(given.heap(window).room(), room -> value.applyAsDouble(room)));
  }

  private void waits() {
    waits(Signal.THREAD_PARKS, WaitKind.POOL, "pool.waiting");
    waits(Signal.SOCKET_READS, WaitKind.DOWNSTREAM, "downstream.waiting");
    waits(Signal.MONITOR_WAITS, WaitKind.LOCK, "lock.waiting");
  }

  private void waits(Signal signal, WaitKind kind, String name) {
    List<WaitSeries> series = UserWaits.of(timeline, kind);
    if (!timeline.sees(signal)) {
      return;
    }
    String source =
        series.stream()
            .findFirst()
            .map(one -> one.source() + timeline.coverage().of(signal).limit())
            .orElse("");
    both(name, source, window -> OptionalDouble.of(WaitSeries.threads(series, window)));
    if (kind == WaitKind.POOL) {
      both(
          name + ".max",
          source,
          window -> OptionalDouble.of(WaitingThreads.at(series).peak(window)));
    }
  }

  private void cpu() {
    cpu("cpu.machine", CpuLoad::machineTotal);
    cpu("cpu.jvm", CpuLoad::jvm);
    both(
        "requests.runnable",
        RunnableRequests.of(timeline, incident).map(found -> found.source().toString()).orElse(""),
        window -> Numbers.of(RunnableRequests.of(timeline, window), found -> found.threads()));
    both(
        "cpu.switches",
        "jdk.ThreadContextSwitchRate",
        window -> MachineLoad.switchesPerSecond(timeline, window));
  }

  private String cpuSource() {
    return MachineLoad.isMetered(timeline)
        ? MachineLoad.source(timeline).toString()
        : MachineLoad.EVENT;
  }

  private void cpu(String name, ToDoubleFunction<CpuLoad> value) {
    String of = MachineLoad.part(timeline).map(part -> ", " + part + " CPUs").orElse("");
    both(
        name,
        cpuSource() + of,
        window -> timeline.cpu(window).stream().mapToDouble(value).average());
  }

  private static String title(String name) {
    return TEXTS.get(name).get(0);
  }

  private static Unit unit(String name) {
    return Unit.valueOf(TEXTS.get(name).get(1));
  }

  /** Adds a figure of a whole load test. */
  void ofWholeTest(String name, String title, Unit unit, double value, String source) {
    metrics.add(Metric.ofWholeTest(name, title, unit, value, source));
  }

  /** Adds a figure of the incident that has no counterpart in a baseline. */
  private void during(String name, double value, String source) {
    metrics.add(
        new Metric(
            name,
            title(name),
            unit(name),
            OptionalDouble.empty(),
            OptionalDouble.of(value),
            source));
  }

  /** The same of a figure that is known as a range; the number alone where both ends are one. */
  void between(String name, double least, double most, String source) {
    if (least == most) {
      during(name, least, source);
    } else {
      metrics.add(
          new Metric(
              name,
              title(name),
              unit(name),
              OptionalDouble.empty(),
              OptionalDouble.empty(),
              Optional.empty(),
              Optional.of(new Range(least, OptionalDouble.of(most))),
              false,
              source));
    }
  }

  /** Adds a figure of both windows, if one of them has it. */
  void both(String name, String source, Function<Window, OptionalDouble> value) {
    OptionalDouble during = value.apply(incident);
    OptionalDouble before = baseline.map(value).orElse(OptionalDouble.empty());
    if (during.isPresent() || before.isPresent()) {
      metrics.add(new Metric(name, title(name), unit(name), before, during, source));
    }
  }

  /** The same of a latency that may be known as a range only: a bucket is no number. */
  void bounded(String name, String source, Function<Window, Optional<LatencyBound>> bound) {
    Optional<LatencyBound> during = bound.apply(incident);
    Optional<LatencyBound> before = baseline.flatMap(bound);
    if (during.isPresent() || before.isPresent()) {
      metrics.add(
          new Metric(
              name,
              title(name),
              unit(name),
              number(before),
              number(during),
              before.map(Metrics::range),
              during.map(Metrics::range),
              false,
              source));
    }
  }

  private static OptionalDouble number(Optional<LatencyBound> bound) {
    Optional<Duration> value = bound.flatMap(LatencyBound::value);
    return Numbers.of(value, known -> known.toNanos());
  }

  private static Range range(LatencyBound bound) {
    return new Range(bound.atLeast().toNanos(), Numbers.of(bound.atMost(), most -> most.toNanos()));
  }

  /**
   * Request threads that run or want to run, in the dump of a window that has most of them: a dump
   * does not show which of them has a core.
   *
   * @param threads how many
   * @param source the dump
   */
  private record RunnableRequests(long threads, Source source) {

    /** Absent without a dump in the window that has request threads. */
    static Optional<RunnableRequests> of(Timeline timeline, Window window) {
      return timeline.dumps(window).stream()
          .filter(ThreadSnapshot::showsRequests)
          .map(dump -> new RunnableRequests(dump.runningRequests(), dump.source()))
          .max(Comparator.comparingLong(RunnableRequests::threads));
    }
  }

  /**
   * What young collections found alive in one window, and what they moved to the old generation.
   *
   * @param collections how many there were, at least 1
   * @param before bytes in the young generation when they began, all together
   * @param survived bytes of these that were alive
   * @param promoted bytes of these that went to the old generation
   * @param step the figures are multiples of this
   * @param seconds the window's length
   * @param source where it was read
   */
  record Survival(
      int collections,
      Bytes before,
      Bytes survived,
      Bytes promoted,
      Bytes step,
      double seconds,
      Source source) {

    /**
     * Sums up the young collections of a window, by the files that count in the smallest steps: a
     * log of G1 has whole regions where a recording has bytes; else by logs, which lack no
     * collection. Several recordings, or several logs, follow one another; what two of them hold
     * alike counts once.
     *
     * @return empty if no file has the young generation there
     */
    static Optional<Survival> of(Timeline timeline, Window window) {
      List<YoungCollections> all = timeline.samples(YoungCollections.class, window);
      return all.stream()
          .min(Comparator.comparing(YoungCollections::step).thenComparing(Survival::recorded))
          .flatMap(
              finest ->
                  all.stream()
                      .filter(one -> recorded(one) == recorded(finest))
                      .filter(one -> one.step().equals(finest.step()))
                      .collect(
                          Collectors.toMap(Same::of, one -> one, (a, b) -> a, LinkedHashMap::new))
                      .values()
                      .stream()
                      .reduce(YoungCollections::and))
          .map(
              sum ->
                  new Survival(
                      sum.count(),
                      sum.before(),
                      sum.survived(),
                      sum.promoted(),
                      sum.step(),
                      window.seconds(),
                      withoutLine(sum.source())));
    }

    /** What the same collections have in two files. */
    private record Same(Instant at, int count, Bytes before, Bytes survived, Bytes promoted) {

      static Same of(YoungCollections one) {
        return new Same(one.at(), one.count(), one.before(), one.survived(), one.promoted());
      }
    }

    private static boolean recorded(YoungCollections one) {
      return isEvent(one.source());
    }

    private static boolean isEvent(Source source) {
      return source.place().startsWith("jdk.");
    }

    private static Source withoutLine(Source source) {
      return isEvent(source) ? source : new Source(source.file(), "");
    }

    /** Bytes moved to the old generation per minute of the window. */
    double promotedPerMinute() {
      return promoted.value() / seconds * Durations.SECONDS_PER_MINUTE;
    }

    /** Share of the young generation that its collections found alive, 0 to 1. */
    double share() {
      return before.value() == 0 ? 0 : Math.min(1, survived.value() / (double) before.value());
    }
  }
}
