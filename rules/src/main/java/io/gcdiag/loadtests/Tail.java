package io.gcdiag.loadtests;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.loadtests.Correlator.CorrelationRequest;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The latency tail by interval.
 *
 * @param name what it is, such as {@code P95}, or that it is a mean
 * @param source where it was read
 * @param reason why they are as long as they are
 * @param seconds the tail in each, NaN where not known
 * @param requests the requests of each interval; empty if only the latency itself is known
 * @param notes what weakens it
 */
record Tail(
    String name,
    Source source,
    Grid grid,
    String reason,
    double[] seconds,
    List<RequestInterval> requests,
    List<String> notes) {

  private static final double ROUNDING = 1e-9;

  /** The largest series of requests over time; without any, a latency of a metric export. */
  static Optional<Tail> of(Timeline timeline, CorrelationRequest request) {
    Optional<RequestSeries> series =
        timeline
            .mainRequestSeries()
            .filter(s -> s.intervals().stream().anyMatch(i -> i.latencies().count() > 0));
    return series.isPresent()
        ? Optional.of(ofRequests(timeline, series.get(), request))
        : ofMetric(timeline, request);
  }

  private static Tail ofRequests(
      Timeline timeline, RequestSeries series, CorrelationRequest request) {
    Window span = series.span().orElseThrow();
    boolean means = series.hasMeansAlone();
    // A mean needs no requests beyond it.
    double rate =
        means
            ? 0
            : series.intervals().stream().mapToLong(i -> i.latencies().count()).sum()
                / span.seconds();
    IntervalChoice interval =
        IntervalChoice.of(
            new IntervalChoice.Facts(span.length(), series.step(), scrapeStep(timeline), rate),
            request);
    Grid grid = grid(span, interval);
    List<RequestInterval> requests = binned(series, grid);
    List<String> notes = new ArrayList<>();
    return new Tail(
        means ? "the mean latency" : request.percentile().toString(),
        series.source(),
        grid,
        interval.reason(),
        means ? means(requests, notes) : percentiles(requests, request.percentile(), notes),
        requests,
        notes);
  }

  private static double[] means(List<RequestInterval> requests, List<String> notes) {
    notes.add("the files hold the mean of the requests and no percentile");
    return requests.stream()
        .map(RequestInterval::latencies)
        .mapToDouble(latencies -> latencies.mean().map(Durations::seconds).orElse(Double.NaN))
        .toArray();
  }

  /**
   * Complete intervals only, because the load ends in the last seconds of a test; but at least one.
   */
  private static Grid grid(Window span, IntervalChoice interval) {
    double whole = Math.floor(span.seconds() / Durations.seconds(interval.length()) + ROUNDING);
    return new Grid(span.from(), interval.length(), (int) Math.max(1, whole));
  }

  private static List<RequestInterval> binned(RequestSeries series, Grid grid) {
    RequestInterval[] bins = new RequestInterval[grid.count()];
    for (int i = 0; i < bins.length; i++) {
      bins[i] = RequestInterval.none(grid.window(i).from());
    }
    // By their middles, so that scrapes slightly early or late count for the intended interval.
    Duration half = series.step().dividedBy(2);
    for (RequestInterval one : series.intervals()) {
      int index = grid.index(one.from().plus(half));
      if (grid.holds(index)) {
        bins[index] = bins[index].plus(one);
      }
    }
    return List.of(bins);
  }

  private static double[] percentiles(
      List<RequestInterval> requests, Percentile percentile, List<String> notes) {
    double[] seconds = new double[requests.size()];
    Arrays.fill(seconds, Double.NaN);
    boolean coarse = false;
    int few = 0;
    for (int i = 0; i < seconds.length; i++) {
      Latencies latencies = requests.get(i).latencies();
      if (percentile.beyond(latencies.count()) < IntervalChoice.FEWEST_BEYOND - ROUNDING) {
        few++;
        continue;
      }
      LatencyBound bound = latencies.percentile(percentile.value()).orElseThrow();
      coarse |= bound.value().isEmpty();
      seconds[i] = middle(bound);
    }
    if (few > 0) {
      notes.add(
          "%s of %s intervals are left out: with fewer than %s requests they have no %s"
              .formatted(
                  few,
                  seconds.length,
                  Numbers.count(
                      Math.round(IntervalChoice.FEWEST_BEYOND / (1 - percentile.fraction()))),
                  percentile));
    }
    if (coarse) {
      notes.add(
          percentile
              + " is known as a bucket of a histogram only: the middle of the bucket stands for it,"
              + " and its bound beyond the last one, so that ranks (Spearman) say more than values"
              + " (Pearson)");
    }
    return seconds;
  }

  private static double middle(LatencyBound bound) {
    double least = Durations.seconds(bound.atLeast());
    return bound.atMost().map(most -> (least + Durations.seconds(most)) / 2).orElse(least);
  }

  private static Optional<Tail> ofMetric(Timeline timeline, CorrelationRequest request) {
    double wanted = request.percentile().fraction();
    Optional<MetricSeries> chosen =
        timeline.metrics(MetricMeaning.LATENCY).stream()
            .filter(series -> !Grid.usualGap(series.points()).isZero())
            .min(
                Comparator.comparingDouble((MetricSeries series) -> distance(series, wanted))
                    .thenComparing(series -> -series.points().size()));
    return chosen.map(series -> ofMetric(timeline, series, request));
  }

  private static Tail ofMetric(Timeline timeline, MetricSeries series, CorrelationRequest request) {
    List<Point> points = series.points();
    Duration step = Grid.usualGap(points);
    Instant last = points.get(points.size() - 1).at();
    // The first reading is about the time before it.
    Window span = new Window(points.get(0).at().minus(step), last);
    IntervalChoice interval =
        IntervalChoice.of(
            new IntervalChoice.Facts(span.length(), step, scrapeStep(timeline), 0), request);
    List<String> notes = new ArrayList<>();
    Optional<Percentile> stated = quantile(series);
    if (stated.isEmpty()) {
      notes.add("the files do not say which percentile the latency is");
    } else if (distance(series, request.percentile().fraction()) > ROUNDING) {
      notes.add("the files hold " + stated.get() + " and not " + request.percentile());
    }
    Grid grid = grid(span, interval);
    return new Tail(
        stated.map(Percentile::toString).orElse("the latency"),
        series.source(),
        grid,
        interval.reason(),
        grid.means(points),
        List.of(),
        notes);
  }

  /**
   * Distance of its quantile from the requested one; an unstated quantile may be the requested one.
   */
  private static double distance(MetricSeries series, double wanted) {
    return quantile(series).map(q -> Math.abs(q.fraction() - wanted)).orElse(ROUNDING);
  }

  private static Optional<Percentile> quantile(MetricSeries series) {
    return series.percentile().stream().mapToObj(Percentile::new).findFirst();
  }

  /** The usual step of the metric exports: half of the series have a longer one. */
  private static Duration scrapeStep(Timeline timeline) {
    List<Duration> steps =
        timeline.metrics().stream()
            .map(series -> Grid.usualGap(series.points()))
            .filter(gap -> !gap.isZero())
            .sorted()
            .toList();
    return steps.isEmpty() ? Duration.ZERO : steps.get(steps.size() / 2);
  }

  /**
   * Length of the intervals, and the reason.
   *
   * @param length of each
   * @param reason for people
   */
  record IntervalChoice(Duration length, String reason) {

    /** A length that users notice. */
    private static final double USUAL_SECONDS = 10;

    /** Collections, queues and load fluctuate within a second or two. */
    private static final double SHORTEST_SECONDS = 2;

    /**
     * With 20 intervals a coefficient of 0.44 differs from 0 (artanh 0.44 = 1.96 / root of 17);
     * with fewer, only closer relations can be distinguished from chance.
     */
    private static final int WANTED = 20;

    /** Bounds the work; 14 hours of the default length. */
    private static final int MOST = 5_000;

    /** A percentile of an interval needs this many requests beyond it, else it is that of one. */
    static final double FEWEST_BEYOND = 5;

    /**
     * What the choice depends on.
     *
     * @param length of what is known of the tail
     * @param tailStep step at which it is known
     * @param scrapeStep step of the other series, zero without any
     * @param requestsPerSecond of the load test, 0 if not known
     */
    record Facts(
        Duration length, Duration tailStep, Duration scrapeStep, double requestsPerSecond) {}

    static IntervalChoice of(Facts facts, CorrelationRequest request) {
      double tailStep = Durations.seconds(facts.tailStep());
      double length = Durations.seconds(facts.length());
      double seconds;
      String reason;
      if (request.every().isPresent()) {
        double asked = Durations.seconds(request.every().get());
        seconds = steps(asked, tailStep);
        reason = seconds > asked ? "as given, in whole intervals of the files" : "as given";
      } else {
        double step = Math.max(tailStep, Durations.seconds(facts.scrapeStep()));
        seconds = USUAL_SECONDS;
        reason = "the default length";
        if (length < WANTED * USUAL_SECONDS) {
          seconds = Math.max(SHORTEST_SECONDS, Math.floor(length / WANTED));
          reason = "so short because the test lasts " + Durations.format(facts.length()) + " only";
        }
        if (step > seconds) {
          seconds = step;
          reason = "the files hold no shorter intervals";
        }
        double needed = FEWEST_BEYOND / (1 - request.percentile().fraction());
        if (facts.requestsPerSecond() > 0 && needed / facts.requestsPerSecond() > seconds) {
          seconds = Math.ceil(needed / facts.requestsPerSecond());
          reason =
              "long enough for %s requests, as %s needs"
                  .formatted(Numbers.count(Math.round(needed)), request.percentile());
        }
        seconds = steps(seconds, step);
      }
      if (length / seconds > MOST) {
        seconds = steps(Math.ceil(length / MOST), tailStep);
        reason = "so that there are no more than " + Numbers.count(MOST);
      }
      return new IntervalChoice(Durations.ofSeconds(seconds), reason);
    }

    /** Rounded up to whole steps, so that every interval holds as many of them. */
    private static double steps(double seconds, double step) {
      double rounding = 1e-9;
      return Math.ceil(seconds / step - rounding) * step;
    }
  }
}
