package io.gcdiag.figures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.RequestStats.FailedStatus;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.figures.Metric.Range;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.HeapRoom;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.ResourceText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The figures of the report's first table, before and during. */
public final class Metrics {

  private static final Map<String, List<String>> TEXTS =
      ResourceText.table(Metrics.class, "metrics.txt");

  private final Timeline timeline;
  private final MeasuredIncident given;
  private final Window incident;
  private final Optional<Window> baseline;
  private final List<Metric> metrics = new ArrayList<>();

  private Metrics(MeasuredIncident incident) {
    this.given = incident;
    this.timeline = incident.timeline();
    this.incident = incident.window();
    this.baseline = incident.baseline();
  }

  /** The figures that the inputs hold, in the order of the report. */
  public static List<Metric> of(MeasuredIncident incident) {
    Metrics metrics = new Metrics(incident);
    RequestMetrics requests = new RequestMetrics(metrics, incident.timeline());
    requests.requests();
    requests.pool();
    metrics.pauses();
    metrics.heap();
    metrics.waits();
    metrics.cpu();
    metrics.restarts();
    requests.perRequest(incident);
    return metrics.metrics;
  }

  private void restarts() {
    List<LoggedError> restarts =
        timeline.samples(LoggedError.class).stream()
            .filter(one -> one.kind() == LoggedError.Kind.RESTARTED)
            .toList();
    if (!restarts.isEmpty()) {
      ofWholeTest(
          "container.restarts",
          "Restarts for a failed liveness probe",
          Unit.COUNT,
          restarts.size(),
          Origin.of(restarts.get(0).source()));
    }
  }

  private void pauses() {
    if (!timeline.sees(Signal.GC_PAUSES) && CollectorMeters.of(timeline).isEmpty()) {
      return;
    }
    Origin source =
        Origin.of(
            PauseTotals.of(timeline, incident)
                .source()
                .or(() -> baseline.flatMap(before -> PauseTotals.of(timeline, before).source())),
            "");
    boolean rates = !PauseTotals.areOneAlone(given);
    if (rates) {
      pause("gc.pause.count", source, PauseTotals::countPerMinute);
      pause("gc.pause.sum", source, totals -> totals.sumPerMinute().toNanos());
    }
    pause(
        "gc.pause.mean",
        source,
        totals -> totals.count() == 0 ? Double.NaN : totals.meanSeconds() * 1e9);
    pause(
        "gc.pause.max",
        source,
        totals -> totals.count() == 0 ? Double.NaN : totals.longest().toNanos());
    if (rates) {
      pause("gc.pause.share", source, PauseTotals::shareStopped);
    }
  }

  private void pause(String name, Origin source, ToDoubleFunction<PauseTotals> value) {
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
    Origin young = Origin.of(Survival.of(timeline, incident).map(Survival::source), "");
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
        Origin.of(given.allocation(incident).map(rate -> rate.source()), ""),
        window -> Numbers.of(given.allocation(window), rate -> rate.bytesPerSecond()));
  }

  private void heap(String name, ToDoubleFunction<HeapRoom> value) {
    Origin source =
        Origin.of(
            timeline.heap(incident).stream()
                .findFirst()
                .map(sample -> new Source(sample.source().file(), "")),
            "");
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
    Origin source =
        Origin.of(
            series.stream().findFirst().map(WaitSeries::source),
            timeline.coverage().of(signal).limit());
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
        Origin.of(RunnableRequests.of(timeline, incident).map(RunnableRequests::source), ""),
        window -> Numbers.of(RunnableRequests.of(timeline, window), found -> found.threads()));
    both(
        "cpu.switches",
        new Origin(Optional.empty(), "jdk.ThreadContextSwitchRate", ""),
        window -> MachineLoad.switchesPerSecond(timeline, window));
  }

  private static Origin cpuSource(Timeline timeline, String more) {
    return MachineLoad.isMetered(timeline)
        ? Origin.of(MachineLoad.source(timeline), more)
        : new Origin(Optional.empty(), MachineLoad.EVENT, more);
  }

  private void cpu(String name, ToDoubleFunction<CpuLoad> value) {
    String of = MachineLoad.part(timeline).map(part -> ", " + part + " CPUs").orElse("");
    both(
        name,
        cpuSource(timeline, of),
        window -> timeline.cpu(window).stream().mapToDouble(value).average());
  }

  private static String title(String name) {
    return TEXTS.get(name).get(0);
  }

  private static Unit unit(String name) {
    return Unit.valueOf(TEXTS.get(name).get(1));
  }

  /** Adds a figure of a whole load test. */
  void ofWholeTest(String name, String title, Unit unit, double value, Origin source) {
    metrics.add(
        new Metric(
            name,
            title,
            unit,
            OptionalDouble.empty(),
            OptionalDouble.of(value),
            Optional.empty(),
            Optional.empty(),
            true,
            source));
  }

  /** Adds a range of the incident; the number alone where both ends are one. */
  void between(String name, double least, double most, Origin source) {
    boolean point = least == most;
    metrics.add(
        new Metric(
            name,
            title(name),
            unit(name),
            OptionalDouble.empty(),
            point ? OptionalDouble.of(least) : OptionalDouble.empty(),
            Optional.empty(),
            Optional.of(new Range(least, OptionalDouble.of(most))).filter(any -> !point),
            false,
            source));
  }

  void both(String name, Origin source, Function<Window, OptionalDouble> value) {
    OptionalDouble during = value.apply(incident);
    OptionalDouble before = baseline.map(value).orElse(OptionalDouble.empty());
    if (during.isPresent() || before.isPresent()) {
      String title = name.equals("request.failed") ? failed() : title(name);
      metrics.add(new Metric(name, title, unit(name), before, during, source));
    }
  }

  /** {@code Failed requests (status 503: 98 % of them)}. */
  private String failed() {
    return "Failed requests"
        + timeline.samples(FailedStatus.class).stream()
            .findFirst()
            .map(most -> " (status %d: %s of them)".formatted(most.status(), most.share()))
            .orElse("");
  }

  /** The same of a latency that may be known as a range only: a bucket is no number. */
  void bounded(String name, Origin source, Function<Window, Optional<LatencyBound>> bound) {
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
   * @param seconds the window's length
   */
  record Survival(YoungCollections sum, double seconds) {

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
                          Collectors.toMap(
                              Survival::same, one -> one, (a, b) -> a, LinkedHashMap::new))
                      .values()
                      .stream()
                      .reduce(YoungCollections::and))
          .map(sum -> new Survival(sum, window.seconds()));
    }

    /** What the same collections have in two files. */
    private static List<Object> same(YoungCollections one) {
      return List.of(one.at(), one.count(), one.before(), one.survived(), one.promoted());
    }

    private static boolean recorded(YoungCollections one) {
      return isEvent(one.source());
    }

    private static boolean isEvent(Source source) {
      return source.place().startsWith("jdk.");
    }

    /** The file, and the event of a recording. */
    Source source() {
      return isEvent(sum.source()) ? sum.source() : new Source(sum.source().file(), "");
    }

    /** Bytes moved to the old generation per minute of the window. */
    double promotedPerMinute() {
      return sum.promoted().value() / seconds * Durations.SECONDS_PER_MINUTE;
    }

    /** Share of the young generation that its collections found alive, 0 to 1. */
    double share() {
      double before = sum.before().value();
      return before == 0 ? 0 : Math.min(1, sum.survived().value() / before);
    }
  }

  /** The figures of requests and of the pool that they borrow from. */
  record RequestMetrics(Metrics metrics, Timeline timeline) {

    private static final double[] PERCENTILES = {50, 90, 95, 99};

    private static final String AND_RATE = " and the request rate";
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Latency as users saw it: over time if the load test has times, else over the whole test. The
     * service's own histogram starts when a thread takes the request; beside a load test it has a
     * name of its own.
     */
    void requests() {
      timeline.mainRequestStats().ifPresent(this::unsent);
      Optional<RequestSeries> series = timeline.requestsOfSpan();
      if (series.filter(RequestMetrics::hasPercentiles).isEmpty()) {
        timeline.metrics(MetricMeaning.LATENCY).forEach(this::metered);
      }
      if (series.isEmpty()) {
        wholeTest();
        return;
      }
      boolean scraped =
          timeline.mainRequestStats().isPresent()
              && timeline.requests().stats().stream()
                  .noneMatch(stats -> stats.source().file().equals(series.get().source().file()));
      if (scraped) {
        wholeTest();
      }
      overTime(series.get(), scraped ? "server." : "");
    }

    private static boolean hasPercentiles(RequestSeries series) {
      return series.intervals().stream()
          .anyMatch(one -> one.latencies().percentile(PERCENTILES[0]).isPresent());
    }

    /**
     * A percentile that a service computed itself: the mean of its readings. Of several endpoints
     * it is that of the slowest, which says nothing of the median of all.
     */
    private void metered(MetricSeries series) {
      for (double percentile : PERCENTILES) {
        if (percentile > PERCENTILES[0] && series.percentile().orElse(0) == percentile) {
          metrics.both(
              "latency.p" + number(percentile),
              Origin.of(series.source()),
              window -> seconds(new Gauge(series).mean(window)));
        }
      }
    }

    private void overTime(RequestSeries series, String prefix) {
      Origin source = Origin.of(series.source());
      metrics.both(
          prefix + "request.rate",
          source,
          window -> Numbers.of(series.rate(window), rate -> rate.perSecond()));
      if (series.hasMeansAlone()) {
        metrics.both(
            prefix + "latency.mean",
            source,
            window -> Numbers.of(series.within(window).latencies().mean(), mean -> mean.toNanos()));
      }
      // Ranges of one percent may end above the longest request, which the load test tells exactly.
      Optional<Duration> longest =
          prefix.isEmpty()
              ? timeline.mainRequestStats().flatMap(RequestStats::longest)
              : Optional.empty();
      for (double percentile : PERCENTILES) {
        metrics.bounded(
            prefix + "latency.p" + number(percentile),
            source,
            window ->
                series
                    .within(window)
                    .latencies()
                    .percentile(percentile)
                    .map(bound -> longest.map(bound::upTo).orElse(bound)));
      }
      metrics.both(prefix + "request.failed", source, window -> failedShare(series.within(window)));
    }

    private static OptionalDouble failedShare(RequestInterval requests) {
      return requests.requests() == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of((double) requests.failed() / requests.requests());
    }

    /** What the pool says of itself, and how many request threads the server says are busy. */
    void pool() {
      PoolMeters.of(timeline).ifPresent(this::pool);
      Optional<Gauge> busy = Gauge.busiest(timeline, MetricMeaning.REQUEST_THREADS_BUSY);
      gauge("workers.busy", busy, Gauge::mean);
      gauge("workers.busy.max", busy, Gauge::highest);
    }

    private void pool(PoolMeters meters) {
      metrics.both(
          "pool.hold",
          Origin.of(meters.source(MetricMeaning.POOL_USAGE_SECONDS), ""),
          window -> nanos(meters.hold(window)));
      gauge(
          "pool.hold.max", meters.gauge(MetricMeaning.POOL_LONGEST_USAGE), RequestMetrics::longest);
      metrics.both(
          "pool.acquire",
          Origin.of(meters.source(MetricMeaning.POOL_ACQUIRE_SECONDS), ""),
          window -> nanos(meters.acquire(window)));
      gauge(
          "pool.acquire.max",
          meters.gauge(MetricMeaning.POOL_LONGEST_ACQUIRE),
          RequestMetrics::longest);
      Optional<Gauge> pending = meters.gauge(MetricMeaning.POOL_PENDING);
      gauge("pool.pending", pending, Gauge::mean);
      gauge("pool.pending.max", pending, Gauge::highest);
      Optional<Gauge> active = meters.gauge(MetricMeaning.POOL_ACTIVE);
      gauge("pool.active", active, Gauge::mean);
      gauge("pool.active.max", active, Gauge::highest);
    }

    private void gauge(
        String name, Optional<Gauge> gauge, BiFunction<Gauge, Window, OptionalDouble> figure) {
      gauge.ifPresent(
          meter ->
              metrics.both(name, Origin.of(meter.source()), window -> figure.apply(meter, window)));
    }

    /** Meters of time are read in seconds. */
    private static OptionalDouble longest(Gauge meter, Window window) {
      return seconds(meter.highestRisen(window));
    }

    private static OptionalDouble seconds(OptionalDouble known) {
      return known.isPresent() ? OptionalDouble.of(known.getAsDouble() * NANOS_PER_SECOND) : known;
    }

    private static OptionalDouble nanos(Optional<Duration> duration) {
      return Numbers.of(duration, known -> known.toNanos());
    }

    /** A load test's summary has no windows: its figures are those of the whole test. */
    private void wholeTest() {
      timeline.mainRequestStats().ifPresent(this::wholeTest);
    }

    private void wholeTest(RequestStats stats) {
      stats
          .rate()
          .ifPresent(
              r -> whole(stats, "request.rate", "Request rate", Unit.PER_SECOND, r.perSecond()));
      stats.mean().ifPresent(mean -> whole(stats, "latency.mean", "Mean latency", mean));
      stats
          .percentiles()
          .forEach(
              (percentile, latency) -> {
                String p = number(percentile);
                whole(stats, "latency.p" + p, "P" + p + " latency", latency);
              });
      stats.longest().ifPresent(max -> whole(stats, "latency.max", "Longest request", max));
      stats
          .failed()
          .ifPresent(
              failed -> {
                long all = stats.requests().orElse(0);
                boolean share = all > 0;
                whole(
                    stats,
                    "request.failed",
                    "Failed requests",
                    share ? Unit.RATIO : Unit.COUNT,
                    share ? (double) failed / all : failed);
              });
    }

    /** Arrivals are a lower bound where the load test had no user free to send what was due. */
    private void unsent(RequestStats stats) {
      stats
          .dropped()
          .ifPresent(
              count ->
                  whole(stats, "request.unsent", "Requests due but not sent", Unit.COUNT, count));
    }

    private void whole(RequestStats stats, String name, String title, Duration latency) {
      whole(stats, name, title, Unit.NANOSECONDS, latency.toNanos());
    }

    private void whole(RequestStats stats, String name, String title, Unit unit, double value) {
      metrics.ofWholeTest(name, title + ", whole test", unit, value, Origin.of(stats.source()));
    }

    private static String number(double percentile) {
      return percentile == Math.rint(percentile)
          ? Long.toString(Math.round(percentile))
          : Double.toString(percentile);
    }

    /** What one request costs and meets, where the rate is known. */
    void perRequest(MeasuredIncident incident) {
      incident
          .pausesAlone()
          .ifPresent(
              alone ->
                  metrics.between(
                      "latency.p99.pauses-alone",
                      alone.produced().toNanos(),
                      alone.producedAtMost().toNanos(),
                      Origin.words("simulation, " + alone.basis())));
      boolean compares = incident.baseline().isPresent();
      metrics.both(
          "allocation.per.request",
          Origin.of(incident.allocation(incident.window()).map(rate -> rate.source()), AND_RATE),
          window ->
              compares && !RequestRate.isKnownOverTime(timeline)
                  ? OptionalDouble.empty()
                  : incident.allocatedPerRequest(window));
      metrics.both(
          "pool.acquired.per.request",
          source(DatabaseUse.connections(incident, incident.window())),
          window -> each(DatabaseUse.connections(incident, window)));
      metrics.both(
          "database.queries.per.request",
          source(DatabaseUse.queries(incident, incident.window())),
          window -> each(DatabaseUse.queries(incident, window)));
      metrics.both(
          "request.cpu", cpuSource(timeline, AND_RATE), window -> cpuPerRequest(incident, window));
      metrics.both(
          "request.met.pause",
          Origin.words("pauses and the median latency"),
          window -> StopCost.shareDelayed(incident, window));
    }

    private static Origin source(Optional<DatabaseUse> use) {
      return Origin.of(use.map(DatabaseUse::source), AND_RATE);
    }

    private static OptionalDouble each(Optional<DatabaseUse> use) {
      return Numbers.of(use, known -> known.perRequest());
    }

    /**
     * Not by a whole run's rate where two windows are compared: a busier one would look costlier.
     */
    private OptionalDouble cpuPerRequest(Incident incident, Window window) {
      Optional<Rate> rate =
          incident.baseline().isPresent() && !RequestRate.isKnownOverTime(timeline)
              ? Optional.empty()
              : RequestRate.of(incident, window);
      OptionalDouble load = MachineLoad.jvm(timeline, window);
      int cores = MachineLoad.cores(timeline);
      return rate.isPresent() && load.isPresent() && cores > 0
          ? OptionalDouble.of(
              load.getAsDouble() * cores / rate.get().perSecond() * NANOS_PER_SECOND)
          : OptionalDouble.empty();
    }

    /**
     * How often one request goes to the database, by meters.
     *
     * @param perRequest times per request, on average
     */
    private record DatabaseUse(double perRequest, Source source) {

      /** Connections acquired from the pool for each request of a window. */
      static Optional<DatabaseUse> connections(Incident incident, Window window) {
        return PoolMeters.of(incident.timeline())
            .flatMap(
                pool ->
                    pool.borrows(window)
                        .flatMap(
                            rate ->
                                pool.source(MetricMeaning.POOL_ACQUIRED)
                                    .flatMap(source -> each(incident, window, rate, source))));
      }

      /**
       * Queries, by the meter that counted most of them. A persistence library, the driver below it
       * and an agent count the same queries, so that their meters are not added; series of one
       * meter are.
       */
      static Optional<DatabaseUse> queries(Incident incident, Window window) {
        Map<String, List<MetricSeries>> meters =
            incident.timeline().metrics(MetricMeaning.QUERIES).stream()
                .collect(
                    Collectors.groupingBy(MetricSeries::name, TreeMap::new, Collectors.toList()));
        return meters.values().stream()
            .max(Comparator.comparingDouble(meter -> perSecond(meter, window)))
            .filter(meter -> perSecond(meter, window) > 0)
            .flatMap(
                meter ->
                    each(
                        incident,
                        window,
                        new Rate(perSecond(meter, window)),
                        meter.get(0).source()));
      }

      private static double perSecond(List<MetricSeries> meter, Window window) {
        return meter.stream()
            .mapToDouble(series -> Meter.perSecond(series, window).orElse(0))
            .sum();
      }

      /** Only by a rate of that window: the mean of a whole test is that of another load. */
      private static Optional<DatabaseUse> each(
          Incident incident, Window window, Rate rate, Source source) {
        return RequestRate.isKnownOverTime(incident.timeline())
            ? RequestRate.of(incident, window)
                .map(requests -> new DatabaseUse(rate.perSecond() / requests.perSecond(), source))
            : Optional.empty();
      }
    }
  }
}
