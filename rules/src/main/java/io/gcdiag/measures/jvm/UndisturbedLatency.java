package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.stats.NormalLevel;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;

/**
 * Distribution of the latency of requests that the incident does not touch.
 *
 * <p>It is measured if the inputs have requests over time and contain a baseline. Otherwise it is
 * estimated from a load test's percentiles by removing the slowest requests, as many as the
 * incident touched: if it touched 20 of 100 requests, the 79th percentile is about the 99th of the
 * others. Between the stated percentiles the distribution is unknown, and {@link #atLeast} and
 * {@link #atMost} are far apart there.
 *
 * @param known latencies in seconds by the share of untouched requests that took at most that long
 * @param sample measured latencies of the baseline, for intervals; empty if the distribution is
 *     estimated
 * @param basis what it is based on, for people
 */
public record UndisturbedLatency(
    NavigableMap<Double, Double> known,
    Optional<BaselineRequests> sample,
    double untouched,
    String basis) {

  /** Relative error of the estimated share of touched requests. */
  private static final double TOUCHED_ERROR = 0.5;

  /** A nanosecond, to keep logarithms and quotients finite. */
  private static final double LEAST_SECONDS = 1e-9;

  /** Steps of the distribution that a simulation draws from: one in a thousand. */
  private static final int STEPS = 1000;

  /**
   * The measured or estimated latency.
   *
   * @param touched share of the incident's requests that the incident touched, 0 to 1
   * @return empty if the inputs have no latencies
   */
  public static Optional<UndisturbedLatency> of(Incident incident, double touched) {
    return measured(incident).or(() -> recorded(incident)).or(() -> estimated(incident, touched));
  }

  /**
   * The measured latency; empty if the inputs have no requests over time, or contain no baseline.
   */
  static Optional<UndisturbedLatency> measured(Incident incident) {
    Optional<Window> baseline = incident.baseline();
    return incident
        .timeline()
        .mainRequestSeries()
        .flatMap(series -> baseline.map(window -> BaselineRequests.seenByUsers(series, window)))
        .flatMap(requests -> of(requests, "latencies in the baseline, "));
  }

  /** The same from how long workers were busy with each request, if a recording shows it. */
  private static Optional<UndisturbedLatency> recorded(Incident incident) {
    return incident
        .baseline()
        .flatMap(
            baseline ->
                ServedRequests.in(incident, baseline)
                    .map(served -> BaselineRequests.seenByWorkers(served, baseline)))
        .flatMap(requests -> of(requests, "busy time of workers per request in the baseline, "));
  }

  private static Optional<UndisturbedLatency> of(BaselineRequests requests, String basis) {
    NavigableMap<Double, Double> points = new TreeMap<>();
    for (double percent : new double[] {0.1, 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 100}) {
      requests
          .all()
          .percentile(percent)
          .flatMap(LatencyBound::value)
          .ifPresent(value -> points.put(percent / Percentiles.WHOLE, Durations.seconds(value)));
    }
    long count = requests.all().count();
    return count < Policy.FEWEST_FOR_A_TAIL || points.size() < 2
        ? Optional.empty()
        : Optional.of(
            new UndisturbedLatency(
                points, Optional.of(requests), 1, basis + Numbers.count(count) + " requests"));
  }

  private static Optional<UndisturbedLatency> estimated(Incident incident, double touched) {
    Optional<RequestStats> stats =
        incident
            .timeline()
            .mainRequestStats()
            .filter(test -> test.requests().orElse(0) >= Policy.FEWEST_FOR_A_TAIL)
            .filter(test -> test.shortest().isPresent() && !test.percentiles().isEmpty());
    return stats.map(test -> leftOver(test, 1 - touched * shareOfTest(incident, test)));
  }

  /** Share of the test that lies in the incident; 1 if unknown. */
  private static double shareOfTest(Incident incident, RequestStats test) {
    if (test.rate().isEmpty() || test.rate().get().perSecond() <= 0) {
      return 1;
    }
    double seconds = test.requests().orElse(0) / test.rate().get().perSecond();
    return seconds <= 0 ? 1 : Math.min(1, incident.window().seconds() / seconds);
  }

  private static UndisturbedLatency leftOver(RequestStats test, double untouched) {
    NavigableMap<Double, Double> points = new TreeMap<>();
    points.put(0.0, Durations.seconds(test.shortest().orElseThrow()));
    for (Map.Entry<Double, Duration> percentile : test.percentiles().entrySet()) {
      double share = percentile.getKey() / Percentiles.WHOLE / Math.max(untouched, LEAST_SECONDS);
      points.put(share, Durations.seconds(percentile.getValue()));
    }
    test.longest()
        .ifPresent(
            longest ->
                points.put(1 / Math.max(untouched, LEAST_SECONDS), Durations.seconds(longest)));
    return new UndisturbedLatency(
        points,
        Optional.empty(),
        untouched,
        "the load test's percentiles without the slowest "
            + new Ratio(1 - untouched)
            + " of its requests");
  }

  /** The quantile of the untouched requests' latency for that share, most likely value. */
  Duration at(double of) {
    double share = sample.map(sampled -> sampled.single(of)).orElse(of);
    Map.Entry<Double, Double> below = known.floorEntry(share);
    Map.Entry<Double, Double> above = known.ceilingEntry(share);
    if (below == null || above == null || above.getKey() - below.getKey() == 0) {
      return Durations.ofSeconds((below == null ? above : below).getValue());
    }
    double from = tail(below.getKey());
    double part = (tail(share) - from) / (tail(above.getKey()) - from);
    double low = Math.log(Math.max(below.getValue(), LEAST_SECONDS));
    double high = Math.log(Math.max(above.getValue(), LEAST_SECONDS));
    return Durations.ofSeconds(Math.exp(low + part * (high - low)));
  }

  /**
   * Position of a share in the tail of the whole test; for an exponential distribution, equal steps
   * are equal times.
   */
  private double tail(double share) {
    return -Math.log(Math.max(1 - share * untouched, LEAST_SECONDS));
  }

  /** Lower bound of the quantile. */
  public Duration atLeast(double share) {
    if (sample.isPresent()) {
      return sample.get().atLeast(share);
    }
    Map.Entry<Double, Double> below = known.floorEntry(share - slack());
    return Durations.ofSeconds((below == null ? known.firstEntry() : below).getValue());
  }

  /** Upper bound of the quantile. */
  public Duration atMost(double share) {
    if (sample.isPresent()) {
      return sample.get().atMost(share);
    }
    Map.Entry<Double, Double> above = known.ceilingEntry(share + slack());
    return Durations.ofSeconds((above == null ? known.lastEntry() : above).getValue());
  }

  /** Error of a share that results from the uncertain number of touched requests. */
  private double slack() {
    return TOUCHED_ERROR * (1 - untouched) / Math.max(untouched, LEAST_SECONDS);
  }

  /** Whether the latency was measured from requests over time. */
  public boolean isMeasured() {
    return sample.isPresent();
  }

  /** The most likely distribution, for a simulation. */
  public HoldTime distribution() {
    return distribution(this::at);
  }

  /** The fastest possible distribution, for a simulation. */
  public HoldTime fastest() {
    return distribution(this::atLeast);
  }

  private static HoldTime distribution(DoubleFunction<Duration> quantile) {
    List<Duration> quantiles = new ArrayList<>();
    Duration last = Duration.ofNanos(1);
    for (int i = 0; i <= STEPS; i++) {
      Duration next = quantile.apply((double) i / STEPS);
      last = next.compareTo(last) > 0 ? next : last;
      quantiles.add(last);
    }
    return new HoldTime.Empirical(quantiles);
  }

  /**
   * Latencies of the requests of a baseline, and the uncertainty of their percentiles.
   *
   * @param pieces those of parts of the baseline
   * @param merged share of them that are several requests at once, 0 to 1: usually the slowest
   * @param way factor by which they may be longer for users, 1 or more
   */
  private record BaselineRequests(
      Latencies all, List<Latencies> pieces, double merged, double way) {

    /** The baseline is cut into this many pieces to measure the variation of its percentiles. */
    private static final int PIECES = 4;

    /**
     * A request also waits for network and CPU on its way to the worker and back. In seven services
     * with known load, 99th percentiles were up to a fifth longer for users than for workers.
     */
    private static final double WAY = 1.25;

    static BaselineRequests seenByUsers(RequestSeries series, Window baseline) {
      return of(series, baseline, 0, 1);
    }

    static BaselineRequests seenByWorkers(ServedRequests served, Window baseline) {
      return of(served.series(), baseline, served.merged(), WAY);
    }

    private static BaselineRequests of(
        RequestSeries series, Window baseline, double merged, double way) {
      Duration length = baseline.length().dividedBy(PIECES);
      List<Latencies> pieces =
          IntStream.range(0, PIECES)
              .mapToObj(piece -> series.within(baseline.part(length, piece)).latencies())
              .filter(piece -> piece.count() >= Policy.FEWEST_FOR_A_TAIL)
              .toList();
      return new BaselineRequests(series.within(baseline).latencies(), pieces, merged, way);
    }

    /** Converts a share of the single requests into a share of all. */
    double single(double share) {
      return Math.max(1.0 / all.count(), share * (1 - merged));
    }

    /** Lower bound of the quantile for that share. */
    Duration atLeast(double share) {
      return edge(single(share), -1);
    }

    /** Upper bound of the quantile for that share. */
    Duration atMost(double share) {
      return Durations.ofSeconds(way * Durations.seconds(edge(share, 1)));
    }

    /** The 95 % interval by order statistics, or the spread between pieces if that is wider. */
    private Duration edge(double share, int side) {
      double ranks = NormalLevel.OF_95_PERCENT * Math.sqrt(share * (1 - share) / all.count());
      double edge = Math.min(1, Math.max(1.0 / all.count(), share + side * ranks));
      Duration value = bound(all, edge, side).orElse(Duration.ZERO);
      for (Latencies piece : pieces) {
        Duration other = bound(piece, share, side).orElse(value);
        value = side * other.compareTo(value) > 0 ? other : value;
      }
      return value;
    }

    private static Optional<Duration> bound(Latencies latencies, double share, int side) {
      return latencies
          .percentile(share * Percentiles.WHOLE)
          .map(range -> side < 0 ? range.atLeast() : range.atMost().orElse(range.atLeast()));
    }
  }
}
