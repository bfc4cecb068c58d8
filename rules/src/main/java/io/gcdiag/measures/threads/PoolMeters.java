package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Metrics of a connection pool; of several pools, the one that most threads waited for. */
public record PoolMeters(Map<MetricMeaning, MetricSeries> series) {

  /** Labels that exporters use for a pool's name. */
  private static final Set<String> NAMES =
      Set.of("pool", "pool_name", "name", "datasource", "db_client_connection_pool_name");

  /**
   * The metrics of the pool with most waiting threads; if none waited, of the pool with most
   * connections in use.
   */
  public static Optional<PoolMeters> of(Timeline timeline) {
    List<MetricSeries> meters =
        timeline.metrics().stream()
            .filter(series -> series.meaning().name().startsWith("POOL_"))
            .toList();
    Map<String, List<MetricSeries>> pools = new TreeMap<>();
    for (MetricSeries series : meters) {
      pools.computeIfAbsent(pool(series, meters), any -> new ArrayList<>()).add(series);
    }
    return pools.values().stream()
        .map(PoolMeters::densest)
        .map(PoolMeters::new)
        .max(
            Comparator.comparingDouble((PoolMeters pool) -> pool.sum(MetricMeaning.POOL_PENDING))
                .thenComparingDouble(pool -> pool.sum(MetricMeaning.POOL_ACTIVE)));
  }

  /**
   * The labels that distinguish pools. A saved scrape has no machine label, an export of a
   * monitoring system has one; if there is only one machine, both are the same pool.
   */
  private static String pool(MetricSeries series, List<MetricSeries> all) {
    long machines =
        all.stream()
            .filter(other -> other.labelsOfMachine().size() > 0)
            .filter(other -> other.labelsButMachine().equals(series.labelsButMachine()))
            .map(MetricSeries::labelsOfMachine)
            .distinct()
            .count();
    return (machines > 1 ? series.labels() : series.labelsButMachine()).toString();
  }

  private static Map<MetricMeaning, MetricSeries> densest(List<MetricSeries> pool) {
    return pool.stream()
        .collect(
            Collectors.groupingBy(
                MetricSeries::meaning,
                TreeMap::new,
                Collectors.collectingAndThen(Collectors.toList(), Gauge::densest)));
  }

  private double sum(MetricMeaning meaning) {
    return points(meaning).mapToDouble(Point::value).sum();
  }

  private Stream<Point> points(MetricMeaning meaning) {
    return series(meaning).stream().flatMap(one -> one.points().stream());
  }

  private Optional<MetricSeries> series(MetricMeaning meaning) {
    return Optional.ofNullable(series.get(meaning));
  }

  /** The pool's maximum size as its metrics state it. */
  public OptionalInt size() {
    return points(MetricMeaning.POOL_MAX)
        .mapToInt(point -> (int) Math.round(point.value()))
        .filter(size -> size > 0)
        .max();
  }

  /**
   * Mean time a connection was held inside the window, over the connections returned in it.
   * HikariCP counts whole milliseconds, rounded down ({@code ClockSource.elapsedMillis}): a mean
   * below one is not known.
   */
  public Optional<Duration> hold(Window window) {
    boolean ofMillis =
        Optional.ofNullable(series.get(MetricMeaning.POOL_USAGE_SECONDS))
            .filter(usage -> usage.name().startsWith("hikaricp"))
            .isPresent();
    return mean(MetricMeaning.POOL_USAGE_SECONDS, MetricMeaning.POOL_USED, window)
        .filter(hold -> !ofMillis || hold.toMillis() >= 1);
  }

  /**
   * Mean time a connection was held in the baseline; without one the shortest between two scrapes
   * before the incident, a time that only the meters cover.
   */
  public Optional<Duration> usualHold(Incident incident) {
    return incident.baseline().isPresent()
        ? incident.baseline().flatMap(this::hold)
        : stretches().stream()
            .filter(stretch -> !stretch.to().isAfter(incident.window().from()))
            .flatMap(stretch -> hold(stretch).stream())
            .min(Comparator.naturalOrder());
  }

  /** Mean time a borrower waited inside the window, over the connections obtained in it. */
  public Optional<Duration> acquire(Window window) {
    return mean(MetricMeaning.POOL_ACQUIRE_SECONDS, MetricMeaning.POOL_ACQUIRED, window);
  }

  private Optional<Duration> mean(MetricMeaning time, MetricMeaning times, Window window) {
    OptionalDouble seconds = grown(time, window);
    OptionalDouble count = grown(times, window);
    return seconds.isPresent() && count.orElse(0) >= Policy.FEWEST_FOR_A_MEAN
        ? Optional.of(Durations.ofSeconds(seconds.getAsDouble() / count.getAsDouble()))
        : Optional.empty();
  }

  /** Connections obtained per second inside the window. */
  public Optional<Rate> borrows(Window window) {
    OptionalDouble rate = perSecond(MetricMeaning.POOL_ACQUIRED, window);
    return rate.orElse(0) > 0 ? Optional.of(new Rate(rate.getAsDouble())) : Optional.empty();
  }

  /**
   * Threads that waited for a connection, at the scrape nearest to an instant.
   *
   * @param within a scrape further away than this says nothing about it
   */
  public Optional<Point> pendingNear(Instant at, Duration within) {
    return points(MetricMeaning.POOL_PENDING)
        .filter(point -> distance(point.at(), at).compareTo(within) <= 0)
        .min(Comparator.comparing(point -> distance(point.at(), at)));
  }

  /** The scrape inside the window that saw most threads waiting; the first of several alike. */
  public Optional<Point> peakPending(Window window) {
    return inside(MetricMeaning.POOL_PENDING, window).stream()
        .reduce((a, b) -> b.value() > a.value() ? b : a);
  }

  /**
   * Whether no connection was returned while threads waited: two or more scrapes in a row with
   * waiting threads and no return since the scrape before.
   */
  public boolean nothingComesBack(Window window) {
    List<Point> returns = inside(MetricMeaning.POOL_USED, window);
    int inARow = 0;
    for (int i = 1; i < returns.size(); i++) {
      boolean none = returns.get(i).value() == returns.get(i - 1).value();
      boolean waiting =
          pendingNear(returns.get(i).at(), Duration.ofSeconds(1))
              .filter(point -> point.value() > 0)
              .isPresent();
      inARow = none && waiting ? inARow + 1 : 0;
      if (inARow >= Policy.FEWEST_DUMPS) {
        return true;
      }
    }
    return false;
  }

  private static Duration distance(Instant a, Instant b) {
    return Duration.between(a, b).abs();
  }

  /**
   * Threads waiting in the window, on average: the waiting time of those that got a connection, per
   * second, or the mean of the waiting threads at the scrapes if that is larger. The former lacks
   * threads that still wait or gave up.
   */
  public OptionalDouble waiting(Window window) {
    OptionalDouble served =
        Numbers.of(
            acquire(window)
                .flatMap(
                    each ->
                        borrows(window).map(rate -> Durations.seconds(each) * rate.perSecond())),
            value -> value);
    OptionalDouble seen = mean(MetricMeaning.POOL_PENDING, window);
    return served.isPresent() && seen.isPresent()
        ? OptionalDouble.of(Math.max(served.getAsDouble(), seen.getAsDouble()))
        : served.isPresent() ? served : seen;
  }

  /**
   * Threads that wait at the beginning of each part of a span, by the scrape before it. All 0 if a
   * quarter of the span has too few scrapes to judge the pool by.
   */
  public double[] pending(Window span, Duration bucket, int parts) {
    NavigableMap<Instant, Double> scraped = new TreeMap<>();
    inside(MetricMeaning.POOL_PENDING, span)
        .forEach(point -> scraped.put(point.at(), point.value()));
    if (scraped.size() * Policy.SUBSTANTIAL < Policy.RECURRING) {
      return new double[parts];
    }
    return IntStream.range(0, parts)
        .mapToObj(part -> scraped.floorEntry(span.part(bucket, part).from()))
        .mapToDouble(last -> last == null ? 0 : last.getValue())
        .toArray();
  }

  /** Connections in use on average, over the scrapes inside the window. */
  public OptionalDouble inUse(Window window) {
    return mean(MetricMeaning.POOL_ACTIVE, window);
  }

  /** Whether all connections are in use at each of three scrapes or more inside the window. */
  public boolean isTaken(Window window) {
    List<Point> used = inside(MetricMeaning.POOL_ACTIVE, window);
    return size().isPresent()
        && used.size() >= Policy.RECURRING
        && used.stream().allMatch(point -> point.value() >= size().getAsInt());
  }

  /**
   * Hold time of the connections returned in the window, per second. If all connections are
   * returned, it equals the average number in use; connections never returned are missing.
   */
  public OptionalDouble returned(Window window) {
    return inside(MetricMeaning.POOL_USAGE_SECONDS, window).size() < Policy.RECURRING
        ? OptionalDouble.empty()
        : perSecond(MetricMeaning.POOL_USAGE_SECONDS, window);
  }

  /** The intervals between two scrapes of the number of borrows. */
  public List<Window> stretches() {
    return series(MetricMeaning.POOL_ACQUIRED).map(Meter::stretches).orElse(List.of());
  }

  /**
   * Whether a pool's metrics count all waiting in a window for pools of these libraries, including
   * threads that never got a connection.
   *
   * @param libraries as thread dumps and recordings name them, such as {@code HikariCP}
   */
  public static boolean tellAll(Timeline timeline, Window window, Set<String> libraries) {
    return of(timeline)
        .filter(pool -> pool.acquire(window).isPresent())
        .filter(pool -> pool.mean(MetricMeaning.POOL_PENDING, window).isPresent())
        .filter(pool -> libraries.stream().allMatch(pool::isOf))
        .isPresent();
  }

  /** Exporters include the library's name in the names of its metrics. */
  private boolean isOf(String library) {
    return letters(series.get(MetricMeaning.POOL_PENDING).name()).contains(letters(library));
  }

  private static String letters(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /** The pool's name in its metrics; {@code pool} if it has none. */
  public String name() {
    return series.values().iterator().next().labels().entrySet().stream()
        .filter(label -> NAMES.contains(label.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("pool");
  }

  /** The pool's values at its scrapes; empty if there is no such metric. */
  public Optional<Gauge> gauge(MetricMeaning meaning) {
    return series(meaning).map(Gauge::new);
  }

  private OptionalDouble mean(MetricMeaning meaning, Window window) {
    return gauge(meaning).map(gauge -> gauge.mean(window)).orElse(OptionalDouble.empty());
  }

  public Optional<Source> source(MetricMeaning meaning) {
    return series(meaning).map(MetricSeries::source);
  }

  private OptionalDouble grown(MetricMeaning meaning, Window window) {
    return series(meaning).map(one -> Meter.grown(one, window)).orElse(OptionalDouble.empty());
  }

  private OptionalDouble perSecond(MetricMeaning meaning, Window window) {
    return series(meaning).map(one -> Meter.perSecond(one, window)).orElse(OptionalDouble.empty());
  }

  private List<Point> inside(MetricMeaning meaning, Window window) {
    return series(meaning).map(one -> Meter.inside(one, window)).orElse(List.of());
  }
}
