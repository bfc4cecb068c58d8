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

/** What a load test says of all requests, and not only of a slow few. */
public final class LoadTestDelays {

  /**
   * If half of the requests take this many times what one takes that nothing is in the way of, they
   * stand in a queue: work differs by less, and a cache that answers the shortest does so fast.
   */
  private static final double QUEUED = 10;

  /**
   * Mean delays below this are not felt, whatever their share. One request in a hundred that takes
   * 300 ms longer makes a mean of 3 ms.
   */
  private static final Duration LEAST_FELT = Duration.ofMillis(3);

  /** Three times as long as usual is slow for a caller of a service that is quick otherwise. */
  private static final double MULTIPLIED = 2;

  /** Mean delays below this hide in what a scheduler or a network does. */
  public static final Duration LEAST_MULTIPLIED = Duration.ofMillis(1);

  private LoadTestDelays() {}

  /**
   * Whether a delay is felt.
   *
   * @param perRequestSeconds by how much requests take longer on average
   * @param usualSeconds how long they take otherwise; 0 if it is not known
   */
  public static boolean isFelt(double perRequestSeconds, double usualSeconds) {
    return perRequestSeconds >= Durations.seconds(LEAST_FELT)
        && perRequestSeconds >= Policy.SUBSTANTIAL * usualSeconds;
  }

  /**
   * Whether a delay that the baseline did not have is felt in a quick service, of which others
   * expect quick answers: where all requests are known to take longer than before, less is enough.
   *
   * @param perRequestSeconds by how much requests take longer than in the baseline, on average
   * @param usualSeconds how long they take otherwise; 0 if it is not known
   */
  public static boolean multiplies(double perRequestSeconds, double usualSeconds) {
    return usualSeconds > 0
        && perRequestSeconds >= Durations.seconds(LEAST_MULTIPLIED)
        && perRequestSeconds >= MULTIPLIED * usualSeconds;
  }

  /**
   * Whether a delay that the baseline did not have is felt if requests are quick, where it is not
   * known whether they are.
   */
  public static boolean mayMultiply(double perRequestSeconds) {
    return perRequestSeconds >= Durations.seconds(LEAST_MULTIPLIED);
  }

  /** Whether users feel that a request takes so long. */
  public static boolean isLong(Duration latency) {
    return latency.compareTo(Policy.LEAST_TAIL) >= 0;
  }

  /**
   * What a waiting user calls long, in seconds: a wait that users feel, and many times what
   * requests usually take.
   *
   * @param usualSeconds how long they take otherwise; 0 if it is not known
   */
  public static double longSeconds(double usualSeconds) {
    return Math.max(Durations.seconds(Policy.LEAST_TAIL), QUEUED * usualSeconds);
  }

  /** Whether the median request waited; false where no load test says so. */
  public static boolean everybodyWaits(Timeline timeline) {
    return timeline.mainRequestStats().filter(LoadTestDelays::everybodyWaits).isPresent();
  }

  /**
   * Whether the median request waited in a substantial part of a load test: of all of it, or of its
   * steps where it says how it went over time.
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
   * How many requests can be in progress at a moment of a load test: those that arrive while the
   * slowest is under way (Little's law), with room for a quarter more and one, as they do not come
   * evenly. Empty without a rate or the slowest, and where requests failed or may have: a server
   * may still be at work for a caller that has given up.
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

  private static boolean hardlyFailed(RequestStats test) {
    return test.failed().isPresent()
        && test.failed().getAsLong() <= Policy.TOLERABLE_FAILURES * test.requests().orElse(0);
  }

  /** Whether a request of that latency waited, by the shortest that was seen. */
  public static boolean isQueued(Duration latency, Duration shortest) {
    return isLong(latency) && isManyTimes(Durations.seconds(latency), Durations.seconds(shortest));
  }

  /**
   * Whether it is more than requests of one kind differ by, so that one is delayed or does more.
   */
  public static boolean isManyTimes(double seconds, double shortestSeconds) {
    return seconds >= QUEUED * shortestSeconds;
  }
}
