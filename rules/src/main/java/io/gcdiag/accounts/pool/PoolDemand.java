package io.gcdiag.accounts.pool;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.requests.RequestSeries;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.calls.DownstreamCalls;
import io.gcdiag.measures.pool.PoolMeters;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the demand on a connection pool: arrival rate, undisturbed hold time, size. Each
 * is said by the operator, or bounded by the files; a bound is on the safe side for the question
 * whether the pool is large enough.
 */
public final class PoolDemand {

  /**
   * A number that is exact or a bound.
   *
   * @param <T> its type
   * @param value the number
   * @param bound {@code ""} if exact, else {@code at most} or {@code at least}
   * @param basis how it is known, for people
   * @param source where it was read
   */
  public record Known<T>(T value, String bound, String basis, Source source) {}

  private static final String BY_METERS = "by the pool's own meters";

  private PoolDemand() {}

  private static Optional<Known<Rate>> meteredRate(Timeline timeline, Window window) {
    return PoolMeters.of(timeline)
        .flatMap(
            meters ->
                meters
                    .borrows(window)
                    .map(
                        rate ->
                            new Known<>(
                                rate,
                                "",
                                "connections obtained, " + BY_METERS,
                                source(meters, MetricMeaning.POOL_ACQUIRED))));
  }

  private static Optional<Known<Duration>> meteredHold(Timeline timeline, Window window) {
    return PoolMeters.of(timeline)
        .flatMap(
            meters ->
                meters
                    .hold(window)
                    .filter(PoolDemand::isSome)
                    .map(
                        hold ->
                            new Known<>(
                                hold,
                                "",
                                "time held / connections returned, " + BY_METERS,
                                source(meters, MetricMeaning.POOL_USAGE_SECONDS))));
  }

  private static Source source(PoolMeters meters, MetricMeaning meaning) {
    return meters.source(meaning).orElseThrow();
  }

  /** Borrows per second: one per request, unless the operator knows better. */
  public static Optional<Known<Rate>> rate(Timeline timeline, Window window) {
    Optional<Rate> said = timeline.operator().rate().filter(rate -> rate.perSecond() > 0);
    if (said.isPresent()) {
      return said.map(rate -> new Known<>(rate, "", "given", OperatorFacts.SOURCE));
    }
    Optional<Known<Rate>> metered = meteredRate(timeline, window);
    if (metered.isPresent()) {
      return metered;
    }
    Optional<RequestSeries> series = timeline.requestsOfSpan();
    Optional<Rate> inWindow =
        series.flatMap(found -> found.rate(window)).filter(rate -> rate.perSecond() > 0);
    if (inWindow.isPresent()) {
      return inWindow.map(
          rate ->
              new Known<>(
                  rate, "", "request rate, one connection per request", series.get().source()));
    }
    Optional<RequestStats> stats = timeline.mainRequestStats();
    Optional<Rate> measured =
        stats.flatMap(RequestStats::rate).filter(rate -> rate.perSecond() > 0);
    if (measured.isPresent()) {
      return Optional.of(
          new Known<>(
              measured.get(),
              "",
              "request rate of the whole load test, one connection per request",
              stats.get().source()));
    }
    return calls(timeline, window)
        .map(
            calls ->
                new Known<>(
                    new Rate(calls.count() / window.seconds()),
                    "",
                    "calls recorded on connections in use",
                    calls.source()));
  }

  /** How long a connection is held when nothing is in the way. */
  public static Optional<Known<Duration>> hold(Timeline timeline, Window window) {
    Optional<Duration> said = timeline.operator().hold().filter(PoolDemand::isSome);
    if (said.isPresent()) {
      Source source = timeline.operator().holdSource();
      return said.map(hold -> new Known<>(hold, "", OperatorFacts.basis(source), source));
    }
    Optional<Known<Duration>> metered = meteredHold(timeline, window);
    if (metered.isPresent()) {
      return metered;
    }
    Optional<Known<Duration>> seen = holdByCalls(timeline, window);
    if (seen.isPresent()) {
      return seen;
    }
    return timeline
        .mainRequestStats()
        .flatMap(
            stats ->
                stats
                    .percentile(Percentiles.MEDIAN)
                    .map(
                        median ->
                            new Known<>(
                                median,
                                "at most",
                                "median latency of the load test"
                                    + fastest(stats)
                                    + ": a request holds its connection no longer than it lasts",
                                stats.source())));
  }

  /** Far below the median, it tells that most requests waited for something. */
  private static String fastest(RequestStats stats) {
    return stats
        .shortest()
        .map(shortest -> " (the fastest request took " + Durations.format(shortest) + ")")
        .orElse("");
  }

  /**
   * By Little's law from what is seen: connections at work on average over borrows per second. A
   * borrower may make several calls, so that the mean of single calls would be too short.
   */
  private static Optional<Known<Duration>> holdByCalls(Timeline timeline, Window window) {
    Optional<Known<Rate>> rate = rate(timeline, window);
    return calls(timeline, window)
        .filter(calls -> rate.isPresent())
        .map(
            calls ->
                new Known<>(
                    Durations.ofSeconds(
                        calls.count()
                            * calls.meanSeconds()
                            / window.seconds()
                            / rate.get().value().perSecond()),
                    "",
                    "time of the calls recorded on connections, less pauses, per connection use",
                    calls.source()))
        .filter(hold -> isSome(hold.value()));
  }

  /** Pauses may leave nothing of the calls; no time at all is no hold time. */
  private static boolean isSome(Duration hold) {
    return !hold.isZero() && !hold.isNegative();
  }

  /** How many connections the pool may open. */
  public static Optional<Known<Integer>> size(Timeline timeline, Window window) {
    if (timeline.operator().poolSize().isPresent()) {
      Source source = timeline.operator().poolSizeSource();
      return Optional.of(
          new Known<>(
              timeline.operator().poolSize().getAsInt(), "", OperatorFacts.basis(source), source));
    }
    Optional<PoolMeters> meters = PoolMeters.of(timeline);
    if (meters.isPresent() && meters.get().size().isPresent()) {
      return Optional.of(
          new Known<>(
              meters.get().size().getAsInt(),
              "",
              BY_METERS,
              source(meters.get(), MetricMeaning.POOL_MAX)));
    }
    Optional<ThreadSnapshot> busiest =
        timeline.dumps().stream()
            .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) > 0)
            .max(Comparator.comparingLong(ConnectionsInUse::count));
    if (busiest.isPresent() && ConnectionsInUse.count(busiest.get()) > 0) {
      int seen = (int) ConnectionsInUse.count(busiest.get());
      return Optional.of(
          new Known<>(
              seen,
              "at least",
              "request threads seen in a call on a connection at one instant while others waited",
              busiest.get().source()));
    }
    return peakOfCalls(timeline, window);
  }

  private static Optional<Known<Integer>> peakOfCalls(Timeline timeline, Window window) {
    List<WaitSeries> series = UserWaits.of(timeline, WaitKind.DOWNSTREAM);
    double peak = series.stream().mapToDouble(s -> s.peakWaiting(window)).max().orElse(0);
    int seen = (int) Math.round(peak);
    return seen < 1
        ? Optional.empty()
        : Optional.of(
            new Known<>(
                seen, "at least", "most calls in flight at one time", series.get(0).source()));
  }

  /** Calls, if the recording shows all of them and not only the longest. */
  private static Optional<DownstreamCalls> calls(Timeline timeline, Window window) {
    return DownstreamCalls.areAllSeen(timeline)
        ? DownstreamCalls.of(timeline, window)
            .filter(calls -> calls.count() >= Policy.FEWEST_COUNTED)
        : Optional.empty();
  }

  /** Connections in use on average, by Little's law. */
  static double concurrency(Rate rate, Duration hold) {
    return rate.perSecond() * Durations.seconds(hold);
  }
}
