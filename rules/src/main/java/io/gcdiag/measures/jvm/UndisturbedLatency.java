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
 * How long requests take that the incident does not touch, as a distribution.
 *
 * <p>It is measured where the inputs have requests over time and hold a baseline. Else it is what
 * is left of a load test's percentiles once the slowest requests, as many as the incident touched,
 * are set aside: of 100 requests of which 20 were touched, the 79th is about the 99th percentile of
 * the others. Between the percentiles that a test states the distribution is not known, and {@link
 * #atLeast} and {@link #atMost} are far apart there.
 */
public final class UndisturbedLatency {

  /** The share of touched requests is an estimate: it may be wrong by half of itself. */
  private static final double TOUCHED_ERROR = 0.5;

  /** A nanosecond: keeps logarithms and quotients finite. */
  private static final double LEAST_SECONDS = 1e-9;

  /** Steps of the distribution that a simulation draws from: one in a thousand. */
  private static final int STEPS = 1000;

  /** Latencies in seconds by the share of untouched requests that took at most that long. */
  private final NavigableMap<Double, Double> known;

  /** Ranges of single shares that are wider than the neighbours among the known ones. */
  private final Optional<BaselineRequests> sample;

  private final double untouched;
  private final String basis;

  private UndisturbedLatency(
      NavigableMap<Double, Double> known,
      Optional<BaselineRequests> sample,
      double untouched,
      String basis) {
    this.known = known;
    this.sample = sample;
    this.untouched = untouched;
    this.basis = basis;
  }

  /**
   * Measures or estimates it.
   *
   * @param touched share of the incident's requests that the incident touched, 0 to 1
   * @return empty if the inputs hold no latencies
   */
  public static Optional<UndisturbedLatency> of(Incident incident, double touched) {
    return measured(incident).or(() -> recorded(incident)).or(() -> estimated(incident, touched));
  }

  /** Measures it; empty if the inputs do not have requests over time, or hold no baseline. */
  static Optional<UndisturbedLatency> measured(Incident incident) {
    Optional<Window> baseline = incident.baseline();
    return incident
        .timeline()
        .mainRequestSeries()
        .flatMap(series -> baseline.map(window -> BaselineRequests.seenByUsers(series, window)))
        .flatMap(requests -> of(requests, "latencies in the baseline, "));
  }

  /** The same by how long workers were busy with each request, where a recording shows it. */
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

  /** How much of the test lies in the incident; all of it if that is not known. */
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

  /** What it rests on, for people. */
  public String basis() {
    return basis;
  }

  /** The latency that so many of the untouched requests stay within, the likeliest value. */
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

  /** How far out in the tail of the whole test a share lies; even steps for an exponential one. */
  private double tail(double share) {
    return -Math.log(Math.max(1 - share * untouched, LEAST_SECONDS));
  }

  /** The least that it may be. */
  public Duration atLeast(double share) {
    if (sample.isPresent()) {
      return sample.get().atLeast(share);
    }
    Map.Entry<Double, Double> below = known.floorEntry(share - slack());
    return Durations.ofSeconds((below == null ? known.firstEntry() : below).getValue());
  }

  /** The most that it may be. */
  public Duration atMost(double share) {
    if (sample.isPresent()) {
      return sample.get().atMost(share);
    }
    Map.Entry<Double, Double> above = known.ceilingEntry(share + slack());
    return Durations.ofSeconds((above == null ? known.lastEntry() : above).getValue());
  }

  /** How far a share may be off because it is not known well how many requests were touched. */
  private double slack() {
    return TOUCHED_ERROR * (1 - untouched) / Math.max(untouched, LEAST_SECONDS);
  }

  /** Whether requests over time were measured, and not only a summary. */
  public boolean isMeasured() {
    return sample.isPresent();
  }

  /** For a simulation: the likeliest distribution. */
  public HoldTime distribution() {
    return distribution(this::at);
  }

  /** For a simulation: the fastest that it may be. */
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
   * How long each request of a baseline took, and how far its percentiles may be off.
   *
   * @param all all of them
   * @param pieces those of parts of the baseline
   * @param merged share of them that are several at once, 0 to 1: the slowest, as a rule
   * @param way how many times as long they may be for users, 1 or more
   */
  private record BaselineRequests(
      Latencies all, List<Latencies> pieces, double merged, double way) {

    /**
     * The baseline is cut into so many pieces, to see how much its percentiles move by themselves.
     */
    private static final int PIECES = 4;

    /**
     * To the worker and back a request waits for the network and for cores: seen by users, 99th
     * percentiles were up to a fifth longer than by workers in seven services whose load was known.
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

    /** The share of all of them below which a share of the single ones lies. */
    double single(double share) {
      return Math.max(1.0 / all.count(), share * (1 - merged));
    }

    /** The least that the latency may be which so many stay within. */
    Duration atLeast(double share) {
      return edge(single(share), -1);
    }

    /** The most that it may be. */
    Duration atMost(double share) {
      return Durations.ofSeconds(way * Durations.seconds(edge(share, 1)));
    }

    /**
     * The interval of 95 % by order statistics, or the spread between pieces where that is wider.
     */
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
