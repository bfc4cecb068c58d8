package io.gcdiag.figures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The figures of requests and of the pool that they borrow from. */
final class RequestMetrics {

  private static final double[] PERCENTILES = {50, 90, 95, 99};
  private static final double NANOS_PER_SECOND = 1e9;

  private final Metrics metrics;
  private final Timeline timeline;

  RequestMetrics(Metrics metrics, Timeline timeline) {
    this.metrics = metrics;
    this.timeline = timeline;
  }

  /**
   * What the users saw: over time where the load test says so, else over the whole test. What the
   * service's own histogram says is another matter, as it starts when a thread takes the request;
   * beside a load test it stands under a name of its own.
   */
  void requests() {
    timeline.mainRequestStats().ifPresent(this::unsent);
    Optional<RequestSeries> series = timeline.requestsOfSpan();
    if (series.isEmpty()) {
      wholeTest();
      return;
    }
    boolean scraped =
        !timeline.requests().stats().isEmpty()
            && timeline.requests().stats().stream()
                .noneMatch(stats -> stats.source().file().equals(series.get().source().file()));
    if (scraped) {
      wholeTest();
    }
    overTime(series.get(), scraped ? "server." : "");
  }

  private void overTime(RequestSeries series, String prefix) {
    String source = series.source().toString();
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
    mean("workers.busy", busy);
    highest("workers.busy.max", busy);
  }

  private void pool(PoolMeters meters) {
    metrics.both(
        "pool.hold",
        source(meters, MetricMeaning.POOL_USAGE_SECONDS),
        window -> nanos(meters.hold(window)));
    longest("pool.hold.max", meters.gauge(MetricMeaning.POOL_LONGEST_USAGE));
    metrics.both(
        "pool.acquire",
        source(meters, MetricMeaning.POOL_ACQUIRE_SECONDS),
        window -> nanos(meters.acquire(window)));
    longest("pool.acquire.max", meters.gauge(MetricMeaning.POOL_LONGEST_ACQUIRE));
    Optional<Gauge> pending = meters.gauge(MetricMeaning.POOL_PENDING);
    mean("pool.pending", pending);
    highest("pool.pending.max", pending);
    Optional<Gauge> active = meters.gauge(MetricMeaning.POOL_ACTIVE);
    mean("pool.active", active);
    highest("pool.active.max", active);
  }

  private void mean(String name, Optional<Gauge> gauge) {
    gauge.ifPresent(meter -> metrics.both(name, meter.source().toString(), meter::mean));
  }

  private void highest(String name, Optional<Gauge> gauge) {
    gauge.ifPresent(meter -> metrics.both(name, meter.source().toString(), meter::highest));
  }

  /** Meters of time are read in seconds. */
  private void longest(String name, Optional<Gauge> gauge) {
    gauge.ifPresent(
        meter ->
            metrics.both(
                name,
                meter.source().toString(),
                window -> {
                  OptionalDouble longest = meter.highestRisen(window);
                  return longest.isPresent()
                      ? OptionalDouble.of(longest.getAsDouble() * NANOS_PER_SECOND)
                      : longest;
                }));
  }

  /** Empty where the pool has no such meter, and so no figure of it. */
  private static String source(PoolMeters pool, MetricMeaning meaning) {
    return pool.source(meaning).map(Source::toString).orElse("");
  }

  private static OptionalDouble nanos(Optional<Duration> duration) {
    return Numbers.of(duration, known -> known.toNanos());
  }

  /** A load test's summary has no windows: its figures are those of the whole test. */
  private void wholeTest() {
    timeline.mainRequestStats().ifPresent(this::wholeTest);
  }

  private void wholeTest(RequestStats stats) {
    stats.rate().ifPresent(r -> whole(stats, "request.rate", "Request rate", r));
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

  private void whole(RequestStats stats, String name, String title, Rate rate) {
    whole(stats, name, title, Unit.PER_SECOND, rate.perSecond());
  }

  private void whole(RequestStats stats, String name, String title, Duration latency) {
    whole(stats, name, title, Unit.NANOSECONDS, latency.toNanos());
  }

  private void whole(RequestStats stats, String name, String title, Unit unit, double value) {
    metrics.ofWholeTest(name, title + ", whole test", unit, value, stats.source().toString());
  }

  private static String number(double percentile) {
    return percentile == Math.rint(percentile)
        ? Long.toString(Math.round(percentile))
        : Double.toString(percentile);
  }

  /** What one request costs and meets, where the rate is known. */
  void perRequest(Case incident) {
    incident
        .pausesAlone()
        .ifPresent(
            alone ->
                metrics.between(
                    "latency.p99.pauses-alone",
                    alone.produced().toNanos(),
                    alone.producedAtMost().toNanos(),
                    "simulation, " + alone.basis()));
    boolean compares = incident.baseline().isPresent();
    metrics.both(
        "allocation.per.request",
        incident
            .allocation(incident.window())
            .map(rate -> rate.source() + " and the request rate")
            .orElse(""),
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
        "request.cpu",
        (MachineLoad.isMetered(timeline) ? MachineLoad.source(timeline) : MachineLoad.EVENT)
            + " and the request rate",
        window -> cpuPerRequest(incident, window));
    metrics.both(
        "request.met.pause",
        "pauses and the median latency",
        window -> StopCost.shareDelayed(incident, window));
  }

  private static String source(Optional<DatabaseUse> use) {
    return use.map(found -> found.source() + " and the request rate").orElse("");
  }

  private static OptionalDouble each(Optional<DatabaseUse> use) {
    return Numbers.of(use, known -> known.perRequest());
  }

  /** Not by a whole run's rate where two windows are compared: a busier one would look costlier. */
  private OptionalDouble cpuPerRequest(Incident incident, Window window) {
    Optional<Rate> rate =
        incident.baseline().isPresent() && !RequestRate.isKnownOverTime(timeline)
            ? Optional.empty()
            : RequestRate.of(incident, window);
    OptionalDouble load = MachineLoad.jvm(timeline, window);
    int cores = MachineLoad.cores(timeline);
    return rate.isPresent() && load.isPresent() && cores > 0
        ? OptionalDouble.of(load.getAsDouble() * cores / rate.get().perSecond() * NANOS_PER_SECOND)
        : OptionalDouble.empty();
  }

  /**
   * How often one request goes to the database, by meters.
   *
   * @param perRequest times per request, on average
   * @param source the meter
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
     * and an agent count the same queries, so that their meters are not added; series of one meter
     * are.
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
                      incident, window, new Rate(perSecond(meter, window)), meter.get(0).source()));
    }

    private static double perSecond(List<MetricSeries> meter, Window window) {
      return meter.stream().mapToDouble(series -> Meter.perSecond(series, window).orElse(0)).sum();
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
