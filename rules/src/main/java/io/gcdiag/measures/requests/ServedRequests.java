package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Latencies over time from a recording: a worker takes a request, responds and becomes idle. Users
 * see the same latency, except for the way to the worker and back.
 *
 * @param series the workers' rounds, one request each except for merged ones
 * @param merged share of the requests that are merged with another into one round, 0 to 1: if the
 *     next request arrives before an event can show that the worker was idle, the round goes on
 */
public record ServedRequests(RequestSeries series, double merged) {

  /**
   * The requests of a window. Empty if no recording shows them, or if their number differs from
   * that of the load test; then rounds are no requests, or the load test was another one.
   */
  public static Optional<ServedRequests> in(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    Optional<Rate> asked = RequestRate.of(incident, window);
    List<WorkRounds> rounds = busiest(timeline, window);
    if (asked.isEmpty() || rounds.isEmpty()) {
      return Optional.empty();
    }
    Duration least =
        timeline
            .mainRequestStats()
            .flatMap(RequestStats::shortest)
            .map(shortest -> Durations.ofSeconds(Policy.MAJORITY * Durations.seconds(shortest)))
            .orElse(Duration.ZERO);
    List<RequestInterval> intervals =
        rounds.stream().map(round -> interval(round, round.lengths().from(least))).toList();
    RequestSeries series =
        new RequestSeries(
            "recording",
            rounds.get(0).length(),
            intervals,
            timeline.recorded(Signal.THREAD_PARKS.description()));
    double told =
        series.intervals().stream().mapToLong(RequestInterval::requests).sum()
            / (asked.get().perSecond() * window.seconds());
    double merged = Math.max(1 - told, unseenRests(timeline, rounds));
    return told <= (1 + Policy.NOTABLE) && merged <= Policy.NEGLIGIBLE
        ? Optional.of(new ServedRequests(series, merged))
        : Optional.empty();
  }

  /** Rounds per second of the threads that are known to serve requests; 0 if none is recorded. */
  public static double roundsPerSecond(Timeline timeline, Window window) {
    return count(serving(timeline, window)) / window.seconds();
  }

  /** The rounds of threads that are known to serve requests, which begin in a window. */
  public static Latencies rounds(Timeline timeline, Window window) {
    return serving(timeline, window).stream()
        .map(WorkRounds::lengths)
        .reduce(Latencies.none(), Latencies::plus);
  }

  /**
   * Whether workers served about as many requests a second as in the baseline, the median one and
   * the slowest in a hundred about as fast. False where rounds may be no whole requests, or are
   * few.
   */
  public static boolean areAsBefore(Incident incident) {
    Timeline timeline = incident.timeline();
    double rate = uncountedPerSecond(timeline, incident.window());
    Latencies now = rounds(timeline, incident.window());
    double most = 1 + Policy.SAMPLES_GOOD_TO;
    return incident
        .baseline()
        .filter(before -> rate > 0 && uncountedPerSecond(timeline, before) <= most * rate)
        .map(before -> rounds(timeline, before))
        .filter(usual -> Math.min(now.count(), usual.count()) >= Policy.FEWEST_FOR_A_TAIL)
        .filter(
            usual -> seconds(now, Percentiles.MEDIAN) <= most * seconds(usual, Percentiles.MEDIAN))
        .filter(usual -> seconds(now, Percentiles.TAIL) <= most * seconds(usual, Percentiles.TAIL))
        .isPresent();
  }

  private static double seconds(Latencies rounds, double percentile) {
    return Durations.seconds(rounds.percentile(percentile).orElseThrow().atLeast());
  }

  /**
   * Requests per second by these rounds, where no file counts requests and those of each group are
   * whole requests; else 0.
   */
  public static double uncountedPerSecond(Timeline timeline, Window window) {
    List<WorkRounds> rounds = serving(timeline, window);
    boolean counted = timeline.areRequestsMeasured() || timeline.operator().rate().isPresent();
    boolean whole =
        rounds.stream()
            .map(WorkRounds::group)
            .distinct()
            .allMatch(group -> areWhole(timeline, group, window));
    return counted || !whole ? 0 : count(rounds) / window.seconds();
  }

  /**
   * Whether the rounds of a group are one request each, as far as the recording shows: nearly all
   * rests are long enough to be recorded, threads were free, so that hardly a request waited for
   * the end of another one's round, and none of the threads waits for sockets. Where threads take
   * turns at that, as Jetty's do, a long request wakes another one for no request.
   */
  public static boolean areWhole(Timeline timeline, String group, Window window) {
    List<WorkRounds> rounds =
        timeline.samples(WorkRounds.class, window).stream()
            .filter(round -> round.group().equals(group))
            .toList();
    boolean takeTurns =
        timeline.samples(SampledTime.class, window).stream()
            .filter(sample -> sample.group().equals(group))
            .anyMatch(sample -> sample.waiting().filter(WaitKind.IDLE::equals).isPresent());
    double all = 0;
    double free = 0;
    for (WorkerTime time : timeline.samples(WorkerTime.class)) {
      double part = Durations.seconds(window.overlap(time.at(), time.length()));
      if (part > 0 && time.group().equals(group)) {
        takeTurns |= time.loops() > 0;
        all += part * time.workers();
        double idle = time.waited().getOrDefault(WaitKind.IDLE, 0.0);
        free += part * idle / Durations.seconds(time.length());
      }
    }
    return !takeTurns
        && free >= Policy.NOTABLE * all
        && unseenRests(timeline, rounds) <= Policy.NEGLIGIBLE;
  }

  private static List<WorkRounds> serving(Timeline timeline, Window window) {
    Set<String> groups =
        timeline.samples(WorkerTime.class, window).stream()
            .filter(WorkerTime::onRequestThread)
            .map(WorkerTime::group)
            .collect(Collectors.toSet());
    return timeline.samples(WorkRounds.class, window).stream()
        .filter(round -> groups.contains(round.group()))
        .toList();
  }

  /** The group with the most rounds; other groups work for it, or hardly at all. */
  private static List<WorkRounds> busiest(Timeline timeline, Window window) {
    Map<String, List<WorkRounds>> groups =
        timeline.samples(WorkRounds.class, window).stream()
            .collect(Collectors.groupingBy(WorkRounds::group));
    return groups.values().stream()
        .max(Comparator.comparingLong(ServedRequests::count))
        .orElse(List.of());
  }

  private static long count(List<WorkRounds> rounds) {
    return rounds.stream().map(WorkRounds::lengths).mapToLong(Latencies::count).sum();
  }

  /**
   * Assumes that there are as many idle times below the events' threshold as there are between once
   * and twice the threshold.
   */
  private static double unseenRests(Timeline timeline, List<WorkRounds> rounds) {
    Optional<Duration> shortest = timeline.threshold(Signal.THREAD_PARKS);
    Latencies rests =
        rounds.stream().map(WorkRounds::rests).reduce(Latencies.none(), Latencies::plus);
    return shortest
        .map(least -> rests.upTo(least.multipliedBy(2)) / (double) rests.count())
        .orElse(0.0);
  }

  private static RequestInterval interval(WorkRounds round, Latencies requests) {
    return new RequestInterval(round.at(), round.length(), requests.count(), 0, requests);
  }
}
