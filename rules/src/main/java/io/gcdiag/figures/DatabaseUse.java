package io.gcdiag.figures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.units.Rate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How often one request goes to the database, by meters.
 *
 * @param perRequest times per request, on average
 * @param source the meter
 */
record DatabaseUse(double perRequest, Source source) {

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
   * Queries, by the meter that counted most of them. A persistence library, the driver below it and
   * an agent count the same queries, so that their meters are not added; series of one meter are.
   */
  static Optional<DatabaseUse> queries(Incident incident, Window window) {
    Map<String, List<MetricSeries>> meters =
        incident.timeline().metrics(MetricMeaning.QUERIES).stream()
            .collect(Collectors.groupingBy(MetricSeries::name, TreeMap::new, Collectors.toList()));
    return meters.values().stream()
        .max(Comparator.comparingDouble(meter -> perSecond(meter, window)))
        .filter(meter -> perSecond(meter, window) > 0)
        .flatMap(
            meter ->
                each(incident, window, new Rate(perSecond(meter, window)), meter.get(0).source()));
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
