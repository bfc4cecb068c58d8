package io.gcdiag.measures.requests;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Slot;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * By how much the requests of one endpoint took longer in the incident than in the baseline, as a
 * part of what all endpoints lost.
 *
 * @param share of the time that all requests took longer, 0 to 1
 * @param before requests of the baseline; the latency is that of all of them where {@code isNew}
 * @param isNew whether the baseline has too few of its requests to say how long they usually take
 * @param source where the latencies were read
 */
public record EndpointExcess(
    String endpoint, double share, Side before, Side during, boolean isNew, Source source) {

  /**
   * The requests of one window.
   *
   * @param median of their latency; empty if only sums are known
   * @param p99 the same; empty for fewer than a hundred requests
   */
  public record Side(
      long requests, Rate rate, Duration mean, Optional<Duration> median, Optional<Duration> p99) {

    private static Side of(Slot total, Duration mean, Latencies latencies, Window window) {
      return new Side(
          total.requests(),
          new Rate(total.requests() / window.seconds()),
          mean,
          percentile(latencies, Percentiles.MEDIAN),
          percentile(latencies, Percentiles.TAIL));
    }

    /** A percentile that at least one request is beyond. */
    private static Optional<Duration> percentile(Latencies latencies, double percentile) {
      return Optional.of(latencies)
          .filter(all -> all.count() * (Percentiles.WHOLE - percentile) >= Percentiles.WHOLE)
          .flatMap(all -> all.percentile(percentile))
          .flatMap(LatencyBound::value);
    }
  }

  /** {@code 12 ms -> 483 ms, 97 % of the delay}. */
  public String words() {
    return "%s -> %s, %s %% of the delay"
        .formatted(
            Durations.format(before.mean),
            Durations.format(during.mean),
            Math.round(new Ratio(share).percent()));
  }

  /**
   * Every endpoint that took longer, the largest share first; none without a baseline that has
   * requests, and of a service with one endpoint, which says no more than the requests together.
   */
  public static List<EndpointExcess> of(Incident incident) {
    Optional<Window> baseline = incident.baseline();
    Optional<RequestSeries> series =
        incident.timeline().requestsByEndpoint().filter(all -> all.endpoints().size() > 1);
    return baseline.isPresent() && series.isPresent()
        ? of(series.get(), baseline.get(), incident.window())
        : List.of();
  }

  /**
   * The one endpoint that is slow, where most of the delay is of its requests and each of them is
   * delayed clearly more than those of the others.
   */
  public static Optional<EndpointExcess> slowOne(Incident incident) {
    List<EndpointExcess> all = of(incident);
    if (all.isEmpty() || all.get(0).share <= Policy.MAJORITY) {
      return Optional.empty();
    }
    EndpointExcess most = all.get(0);
    RequestSeries series = incident.timeline().requestsByEndpoint().orElseThrow();
    long others =
        series.endpoints().stream()
            .filter(one -> !one.endpoint().equals(most.endpoint))
            .mapToLong(one -> one.within(incident.window()).requests())
            .sum();
    double ofOthers = others == 0 ? 0 : (1 - most.share) / others;
    boolean clear = most.share / most.during.requests >= Policy.CLEARLY_MORE * ofOthers;
    boolean isOne = !most.isNew && !most.endpoint.equals(EndpointSeries.OTHERS);
    return isOne && others > 0 && clear ? Optional.of(most) : Optional.empty();
  }

  private static Latencies all(RequestSeries series, Window window) {
    return series.endpoints().stream()
        .map(one -> one.latencies(window))
        .reduce(Latencies.none(), Latencies::plus);
  }

  private static List<EndpointExcess> of(RequestSeries series, Window before, Window during) {
    Slot usual =
        series.endpoints().stream()
            .map(one -> one.within(before))
            .reduce(new Slot(before.from(), 0, 0), Slot::plus);
    if (usual.requests() < Policy.FEWEST_COUNTED) {
      return List.of();
    }
    List<EndpointExcess> found = new ArrayList<>();
    double all = 0;
    for (EndpointSeries one : series.endpoints()) {
      Slot baseline = one.within(before);
      Slot then = one.within(during);
      boolean isNew = baseline.requests() < Policy.FEWEST_COUNTED;
      Duration own = isNew ? usual.mean() : baseline.mean();
      double lost = (Durations.seconds(then.mean()) - Durations.seconds(own)) * then.requests();
      if (lost > 0 && then.requests() >= Policy.FEWEST_COUNTED) {
        all += lost;
        found.add(
            new EndpointExcess(
                one.endpoint(),
                lost,
                Side.of(baseline, own, isNew ? all(series, before) : one.latencies(before), before),
                Side.of(then, then.mean(), one.latencies(during), during),
                isNew,
                series.source()));
      }
    }
    double sum = all;
    return found.stream()
        .map(
            one ->
                new EndpointExcess(
                    one.endpoint, one.share / sum, one.before, one.during, one.isNew, one.source))
        .sorted(Comparator.comparingDouble(EndpointExcess::share).reversed())
        .toList();
  }
}
