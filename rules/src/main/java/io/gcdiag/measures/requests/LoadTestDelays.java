package io.gcdiag.measures.requests;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** How load test figures of all requests, not only of a slow few, are judged. */
public final class LoadTestDelays {

  /**
   * If half of the requests take this many times the undisturbed latency, they wait in a queue.
   * Work of different requests differs by less, and fast cache hits are part of the undisturbed
   * latency.
   */
  private static final double QUEUED = 10;

  /**
   * Users do not notice a mean delay below this, whatever its share. One request in a hundred that
   * takes 300 ms longer gives a mean of 3 ms.
   */
  private static final Duration LEAST_FELT = Duration.ofMillis(3);

  /**
   * A delay of this many times the usual latency, three times the latency in all, is slow for
   * callers of an otherwise fast service.
   */
  private static final double MULTIPLIED = 2;

  /** Mean delays below this are normal variation of a scheduler or a network. */
  public static final Duration LEAST_MULTIPLIED = Duration.ofMillis(1);

  private LoadTestDelays() {}

  /**
   * Whether users notice a delay.
   *
   * @param perRequestSeconds by how much requests take longer on average
   * @param usualSeconds how long they usually take; 0 if unknown
   */
  public static boolean isFelt(double perRequestSeconds, double usualSeconds) {
    return perRequestSeconds >= Durations.seconds(LEAST_FELT)
        && perRequestSeconds >= Policy.SUBSTANTIAL * usualSeconds;
  }

  /**
   * Whether callers notice a delay in a fast service from which they expect fast responses. A
   * smaller delay is enough here, because all requests are known to take longer than in the
   * baseline.
   *
   * @param perRequestSeconds by how much requests take longer than in the baseline, on average
   * @param usualSeconds how long they usually take; 0 if unknown
   */
  public static boolean multiplies(double perRequestSeconds, double usualSeconds) {
    return usualSeconds > 0
        && perRequestSeconds >= Durations.seconds(LEAST_MULTIPLIED)
        && perRequestSeconds >= MULTIPLIED * usualSeconds;
  }

  /**
   * Whether callers would notice the delay if requests are fast, for the case that it is unknown
   * whether they are.
   */
  public static boolean mayMultiply(double perRequestSeconds) {
    return perRequestSeconds >= Durations.seconds(LEAST_MULTIPLIED);
  }

  /** Whether users notice that a request takes this long. */
  public static boolean isLong(Duration latency) {
    return latency.compareTo(Policy.LEAST_TAIL) >= 0;
  }

  /**
   * A long wait in seconds: long enough to be noticed, and many times the usual latency.
   *
   * @param usualSeconds how long requests usually take; 0 if unknown
   */
  public static double longSeconds(double usualSeconds) {
    return Math.max(Durations.seconds(Policy.LEAST_TAIL), QUEUED * usualSeconds);
  }

  /** Whether the median request waited; false if no load test shows it. */
  public static boolean everybodyWaits(Timeline timeline) {
    return timeline.mainRequestStats().filter(LoadTestDelays::everybodyWaits).isPresent();
  }

  /**
   * Whether a part of the requests takes one constant time, many times the median: P90 and P95
   * hardly differ. A timeout, or a slow answer of another service, takes as long for each of them;
   * waiting for CPU takes longer for some than for others.
   */
  public static boolean isOneLongTime(Timeline timeline) {
    Optional<RequestStats> stats = timeline.mainRequestStats();
    Optional<Duration> median = stats.flatMap(all -> all.percentile(Percentiles.MEDIAN));
    Optional<Duration> most = stats.flatMap(all -> all.percentile(Percentiles.NINE_OF_TEN));
    Optional<Duration> nearlyAll = stats.flatMap(all -> all.percentile(Percentiles.NEARLY_ALL));
    return median.isPresent()
        && most.filter(length -> isQueued(length, median.get())).isPresent()
        && nearlyAll
            .filter(
                length ->
                    Durations.seconds(length)
                        < (1 + Policy.NEGLIGIBLE) * Durations.seconds(most.get()))
            .isPresent();
  }

  /**
   * Whether the median request waited in a substantial part of a load test: in the whole run, or in
   * that part of its steps if it has figures over time.
   */
  public static boolean mostWaitForLong(Timeline timeline) {
    Optional<Duration> shortest = timeline.mainRequestStats().flatMap(RequestStats::shortest);
    return everybodyWaits(timeline)
        || timeline
            .requestsOfSpan()
            .filter(test -> shortest.isPresent() && waitForLong(test, shortest.get()))
            .isPresent();
  }

  private static boolean waitForLong(RequestSeries test, Duration shortest) {
    List<Duration> medians =
        test.intervals().stream()
            .flatMap(step -> step.latencies().percentile(Percentiles.MEDIAN).stream())
            .map(LatencyBound::atLeast)
            .toList();
    long queued = medians.stream().filter(median -> isQueued(median, shortest)).count();
    return queued > 0 && queued >= Policy.SUBSTANTIAL * medians.size();
  }

  /** Whether the median request of a load test waited. */
  public static boolean everybodyWaits(RequestStats stats) {
    return stats.percentile(Percentiles.MEDIAN).isPresent()
        && stats.shortest().isPresent()
        && isQueued(stats.percentile(Percentiles.MEDIAN).get(), stats.shortest().get());
  }

  /**
   * Upper bound of the requests in progress at any moment of a load test: those that arrive while
   * the slowest one is in progress (Little's law), plus a quarter and one more, because arrivals
   * are uneven. Empty without a rate or a slowest request, and if requests failed or may have: a
   * server may still work for a caller that has given up.
   */
  public static OptionalDouble mostInProgress(Timeline timeline) {
    Optional<RequestStats> test = timeline.mainRequestStats().filter(LoadTestDelays::hardlyFailed);
    Optional<Duration> slowest = test.flatMap(RequestStats::longest);
    Optional<Rate> rate = RequestRate.of(timeline);
    return slowest.isPresent() && rate.isPresent()
        ? OptionalDouble.of(
            1
                + (1 + Policy.SUBSTANTIAL)
                    * rate.get().perSecond()
                    * Durations.seconds(slowest.get()))
        : OptionalDouble.empty();
  }

  /**
   * Whether a load test saw the end of each of its requests: none failed, and the longest is known.
   */
  public static boolean haveAllEnded(Timeline timeline) {
    return timeline
        .mainRequestStats()
        .filter(test -> test.failed().orElse(1) == 0 && test.longest().isPresent())
        .isPresent();
  }

  private static boolean hardlyFailed(RequestStats test) {
    return test.failed().isPresent()
        && test.failed().getAsLong() <= Policy.TOLERABLE_FAILURES * test.requests().orElse(0);
  }

  /** Whether a request of that latency waited, compared with the shortest latency seen. */
  public static boolean isQueued(Duration latency, Duration shortest) {
    return isLong(latency) && isManyTimes(Durations.seconds(latency), Durations.seconds(shortest));
  }

  /**
   * Whether the latencies differ by more than requests of one kind do, so that the request was
   * delayed or does more work.
   */
  public static boolean isManyTimes(double seconds, double shortestSeconds) {
    return seconds >= QUEUED * shortestSeconds;
  }
}
