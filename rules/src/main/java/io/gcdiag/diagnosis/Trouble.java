package io.gcdiag.diagnosis;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.BackgroundWorkers;
import io.gcdiag.ledger.Delays;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.EffectTimes;
import io.gcdiag.ledger.ExecutorBacklog;
import io.gcdiag.ledger.LongStops;
import io.gcdiag.ledger.Observation;
import io.gcdiag.ledger.PauseTotals;
import io.gcdiag.ledger.RequestExcess;
import io.gcdiag.ledger.RequestRate;
import io.gcdiag.ledger.SafepointTimes;
import io.gcdiag.ledger.SeenRequests;
import io.gcdiag.ledger.Throttling;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether there is trouble at all. High numbers alone (allocation, collections, CPU) are none; time
 * that users' work loses is.
 *
 * @param present whether users' work loses time that matters
 * @param unseen whether the load test saw delays or failures that nothing recorded accounts for
 * @param visible whether the inputs show what users' work waits for, or how long requests took,
 *     most and slowest: else no trouble seen is not no trouble. Jobs before threads that are never
 *     free wait where no recording sees them
 * @param measure how much is lost, one sentence
 */
record Trouble(boolean present, boolean unseen, boolean visible, String measure) {

  /**
   * A twentieth of the time stopped: what JDK Mission Control, too, calls notable over a minute.
   * One request in twenty then meets a pause.
   */
  private static final double NOTABLE_STOPPED = 0.05;

  /** Half a thread kept waiting on average, where the request rate is unknown. */
  private static final double NOTABLE_WAITING = 0.5;

  /** Less than one thread waiting for a core at a time is what a busy machine has. */
  private static final double PASSING = 1;

  /** Less than this of the delays that the load test saw is no account of them. */
  private static final double LEAST_SEEN = 0.25;

  /** One request in fifty. */
  private static final double TOLERABLE_FAILURES = 0.02;

  /** Shares of a shorter time than this are chance. */
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  /** A tail this many times the median is no ordinary spread of work. */
  private static final double LONG_TAIL = 20;

  /** Whoever is held up once for less waits; for longer, he asks what is wrong. */
  private static final Duration HICCUP = Duration.ofSeconds(2);

  /** A tail shorter than this is no incident. */
  private static final Duration LEAST_TAIL = Duration.ofMillis(200);

  /**
   * Measures it.
   *
   * @param unexplained share of the excess that no finding accounts for, 0 to 1
   */
  static Trouble of(Incident incident, EffectTimes times, double unexplained) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    double lost =
        (times.totalExcessSeconds() - unlike(incident, times, unexplained)) / window.seconds();
    double stopped =
        PauseTotals.of(timeline, window).shareStopped()
            + SafepointTimes.of(timeline, window).share()
            + Throttling.shareStopped(timeline, window);
    Optional<Rate> rate = RequestRate.of(timeline, window);
    Optional<RequestExcess> compared = RequestExcess.overTime(incident);
    boolean delayed =
        compared.isPresent()
            ? isSlower(incident, beside(compared.get(), times)) || RequestDelays.rose(incident)
            : !nobodyWaited(incident)
                && rate.map(r -> isSlower(incident, lost / r.perSecond()))
                    .orElse(lost - inPassing(timeline, times, window) >= NOTABLE_WAITING);
    Optional<RequestStats> requests = SeenRequests.of(incident);
    boolean longEnough = window.length().compareTo(SHORTEST) >= 0;
    boolean halting =
        (stopped - hiccup(timeline, window) >= NOTABLE_STOPPED
                || LongStops.makeTheTail(timeline, window, usualSeconds(timeline)))
            && !isNobodyHeldUp(incident);
    boolean present = longEnough && (delayed || halting);
    boolean unseen =
        !present
            && (RequestDelays.rose(incident)
                || RequestDelays.fail(incident)
                || requests.filter(Delays::everybodyWaits).isPresent()
                || requests
                    .filter(
                        stats ->
                            longTail(incident, stats)
                                || manyFailed(stats)
                                || lostElsewhere(
                                    timeline,
                                    stats,
                                    times.totalExcessSeconds() + times.observerSeconds()))
                    .isPresent());
    return new Trouble(
        present,
        unseen,
        latencyKnown(timeline)
            || timeline.coverage().of(Signal.THREAD_PARKS).recorded()
                && BackgroundWorkers.neverFree(incident).isEmpty()
                && ExecutorBacklog.of(incident).isEmpty(),
        LossWords.of(timeline, lost, rate, stopped) + LossWords.ofLooks(incident, times));
  }

  /**
   * Share of a window that the longest stop beside the collections took, if it is short: one such
   * stop, as while a JVM starts, is no state that a service is in.
   */
  private static double hiccup(Timeline timeline, Window window) {
    Observation observation = Observation.of(timeline);
    double longest =
        timeline.safepoints(window).stream()
            .map(observation::lost)
            .mapToDouble(Durations::seconds)
            .max()
            .orElse(0);
    return longest < Durations.seconds(HICCUP) ? longest / window.seconds() : 0;
  }

  /**
   * Waiting for a core of less than {@link #PASSING}, on average, where nothing can see what the
   * work waits for: beside what is hidden that says nothing. Else nothing.
   */
  private static double inPassing(Timeline timeline, EffectTimes times, Window window) {
    double queue = times.excessSeconds(Effect.CPU_QUEUE) / window.seconds();
    return queue < PASSING && HiddenWaits.of(timeline).isPresent() ? queue : 0;
  }

  /**
   * What requests take beyond the median one where all of them are quick: then some are of another
   * kind that takes longer, and nobody waits. It is left out only where no cause accounts for
   * enough to be a suspect, and no calm says what is usual.
   */
  private static double unlike(Incident incident, EffectTimes times, double unexplained) {
    boolean noSuspect = unexplained > 1 - Ranking.LEAST_PRIMARY;
    boolean quick = SeenRequests.of(incident).filter(Trouble::areAllQuick).isPresent();
    return noSuspect && quick && RequestExcess.overTime(incident).isEmpty()
        ? times.excessSeconds(Effect.UNACCOUNTED)
        : 0;
  }

  private static boolean areAllQuick(RequestStats stats) {
    Optional<Duration> p99 = stats.percentile(99.0);
    Optional<Duration> p50 = stats.percentile(50.0);
    return p99.isPresent()
        && p50.isPresent()
        && p99.get().compareTo(LEAST_TAIL) < 0
        && Durations.seconds(p99.get()) <= LONG_TAIL * Durations.seconds(p50.get());
  }

  /** By how much a request took longer, beside what stops for looking at the trouble cost. */
  private static double beside(RequestExcess requests, EffectTimes times) {
    double looks = requests.seconds() > 0 ? times.observerSeconds() / requests.seconds() : 0;
    return requests.perRequestSeconds() * Math.max(0, 1 - looks);
  }

  /** Whether requests took hardly longer on average than the shortest of them. */
  private static boolean nobodyWaited(Incident incident) {
    return incident
        .timeline()
        .mainRequestStats()
        .filter(stats -> stats.mean().isPresent() && stats.shortest().isPresent())
        .filter(
            stats ->
                !isSlower(
                    incident,
                    Durations.seconds(stats.mean().get())
                        - Durations.seconds(stats.shortest().get())))
        .isPresent();
  }

  /** Whether not even the slowest request of a load test waited: short stops alone hurt nobody. */
  private static boolean isNobodyHeldUp(Incident incident) {
    return nobodyWaited(incident)
        && incident
            .timeline()
            .mainRequestStats()
            .flatMap(RequestStats::longest)
            .filter(longest -> longest.compareTo(LEAST_TAIL) < 0)
            .isPresent();
  }

  /** Whether a delay of the incident is felt, be it for what the calm was like. */
  private static boolean isSlower(Incident incident, double secondsPerRequest) {
    Timeline timeline = incident.timeline();
    return isFelt(timeline, secondsPerRequest)
        || incident.windows().baseline().isPresent()
            && Delays.multiplies(secondsPerRequest, usualSeconds(timeline));
  }

  private static boolean isFelt(Timeline timeline, double secondsPerRequest) {
    return Delays.isFelt(secondsPerRequest, usualSeconds(timeline));
  }

  /** What half of the requests of a load test take at most; 0 if there is none. */
  private static double usualSeconds(Timeline timeline) {
    return timeline
        .mainRequestStats()
        .flatMap(stats -> stats.percentile(50.0))
        .map(Durations::seconds)
        .orElse(0.0);
  }

  private static boolean latencyKnown(Timeline timeline) {
    return timeline
        .mainRequestStats()
        .filter(stats -> stats.mean().isPresent() && stats.percentile(50.0).isPresent())
        .filter(stats -> stats.percentile(99.0).or(stats::longest).isPresent())
        .isPresent();
  }

  /** Share of the requests that failed; absent where no load test tells of more than a few. */
  static Optional<Ratio> failures(Incident incident) {
    return SeenRequests.of(incident)
        .filter(Trouble::manyFailed)
        .map(
            stats -> new Ratio(stats.failed().getAsLong() / (double) stats.requests().getAsLong()));
  }

  private static boolean manyFailed(RequestStats stats) {
    return stats.failed().isPresent()
        && stats.requests().isPresent()
        && stats.failed().getAsLong() > TOLERABLE_FAILURES * stats.requests().getAsLong();
  }

  /** Whether the load test saw delays that are felt, and the ledger holds but a part of them. */
  private static boolean lostElsewhere(Timeline timeline, RequestStats stats, double ledger) {
    Optional<Duration> median = stats.percentile(50.0);
    if (median.isEmpty() || stats.mean().isEmpty() || stats.requests().isEmpty()) {
      return false;
    }
    double perRequest = Durations.seconds(stats.mean().get()) - Durations.seconds(median.get());
    // Half of the requests may be of a kind that takes longer: then there is no tail.
    boolean tail = stats.percentile(99.0).filter(p99 -> p99.compareTo(LEAST_TAIL) < 0).isEmpty();
    return tail
        && isFelt(timeline, perRequest)
        && ledger < LEAST_SEEN * perRequest * stats.requests().getAsLong();
  }

  private static boolean longTail(Incident incident, RequestStats stats) {
    Optional<Duration> p99 = stats.percentile(99.0);
    Optional<Duration> p50 = stats.percentile(50.0);
    return p99.isPresent()
        && p50.isPresent()
        && p99.get().compareTo(LEAST_TAIL) > 0
        && Durations.seconds(p99.get()) > LONG_TAIL * Durations.seconds(p50.get())
        && !ObserverTail.accountsFor(incident, p99.get());
  }
}
