package io.gcdiag.prediction;

import io.gcdiag.accounts.pool.PoolDemand;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.pauses.GcPause;
import io.gcdiag.evidence.requests.LoadModel;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.workers.WorkerQueue;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What is scarce: a pool's connections, or the threads that requests run on.
 *
 * @param kind what they are
 * @param now how many there are
 * @param perSecond how often one is asked for
 * @param hold how long one is held when nothing is in the way
 * @param users no more than so many ask at one time; absent if there is no such bound
 */
record ScarceServers(Kind kind, int now, double perSecond, Duration hold, OptionalInt users) {

  private static final String WORKERS = "workers";

  /** What is scarce. */
  enum Kind {
    CONNECTIONS,
    THREADS,
    /** There is one a core: what blocks them goes to other threads. */
    EVENT_LOOPS
  }

  /** What to change, for people. */
  String change(int count) {
    return switch (kind) {
      case CONNECTIONS -> now + " to " + count + " connections";
      case THREADS -> now + " to " + count + " threads";
      case EVENT_LOOPS -> "blocking calls on " + count + " worker threads";
    };
  }

  /** The pool's connections; empty if rate, hold or size are not known. */
  static Optional<ScarceServers> connections(Incident incident) {
    Window window = incident.window();
    Window usual = incident.baseline().orElse(window);
    Optional<Duration> hold =
        PoolDemand.hold(incident.timeline(), usual)
            .or(() -> PoolDemand.hold(incident.timeline(), window))
            .map(PoolDemand.Known::value)
            .map(known -> atMostFastest(incident, known));
    Optional<Integer> size =
        PoolDemand.size(incident.timeline(), window).map(PoolDemand.Known::value);
    Optional<Rate> rate = PoolDemand.rate(incident.timeline(), window).map(PoolDemand.Known::value);
    if (hold.isEmpty() || size.isEmpty() || rate.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ScarceServers(
            Kind.CONNECTIONS,
            size.get(),
            asked(incident, rate.get(), size.get(), hold.get()),
            hold.get(),
            users(incident)));
  }

  /** The threads of the group that the diagnosis found busy; empty if there is no such finding. */
  static Optional<ScarceServers> threads(Case incident, List<Finding> findings) {
    OptionalDouble size =
        findings.stream()
            .filter(ScarceServers::isAboutThreads)
            .mapToDouble(finding -> finding.values().get(WORKERS))
            .findFirst();
    Optional<Rate> rate = RequestRate.of(incident.timeline(), incident.window());
    if (size.isEmpty() || rate.isEmpty() || isOneThread(incident)) {
      return Optional.empty();
    }
    int threads = (int) size.getAsDouble();
    // While all are busy, what is served is their number over the time that one is held.
    Duration hold = Durations.ofSeconds(threads / rate.get().perSecond());
    return Optional.of(
        new ScarceServers(
            FullGroup.of(incident).filter(FullGroup::isEventLoop).isPresent()
                ? Kind.EVENT_LOOPS
                : Kind.THREADS,
            threads,
            asked(incident, rate.get(), threads, hold),
            hold,
            users(incident)));
  }

  /** Work that one thread does for all requests has no number of threads that one could raise. */
  private static boolean isOneThread(Case incident) {
    return incident
        .workerQueue()
        .filter(queue -> queue.role() == WorkerQueue.Role.EXECUTOR && queue.workers() == 1)
        .isPresent();
  }

  /** A request holds no longer than it lasts, and the fastest one did not wait. */
  private static Duration atMostFastest(Incident incident, Duration hold) {
    return incident
        .timeline()
        .mainRequestStats()
        .flatMap(RequestStats::shortest)
        .filter(shortest -> !shortest.isZero() && shortest.compareTo(hold) < 0)
        .orElse(hold);
  }

  private static boolean isAboutThreads(Finding finding) {
    return finding.values().containsKey(WORKERS)
        && finding.bearings().stream()
            .anyMatch(bearing -> bearing.hypothesis() == Hypothesis.THREAD_POOL_EXHAUSTED);
  }

  /**
   * The rate at which they are asked for. While all are busy no more is served than they can, and
   * the load generator says how many requests it could not send.
   */
  private static double asked(Incident incident, Rate rate, int size, Duration hold) {
    double dropped =
        incident.timeline().mainRequestStats().map(test -> test.dropped().orElse(0)).orElse(0L)
            / incident.window().seconds();
    boolean measuredThen = incident.timeline().mainRequestSeries().isPresent();
    double served =
        measuredThen
            ? rate.perSecond()
            : Math.max(rate.perSecond(), LittlesLaw.sustainableRatePerSecond(size, hold));
    return served + dropped;
  }

  /**
   * Of two files of one test, such as ab's output and its table of requests, one may not say it.
   */
  private static OptionalInt users(Incident incident) {
    return incident
        .timeline()
        .mainRequestStats()
        .flatMap(
            main ->
                incident.timeline().requestStats().stream()
                    .filter(test -> test.requests().equals(main.requests()))
                    .filter(test -> test.model().equals(Optional.of(LoadModel.CLOSED)))
                    .filter(test -> test.users().isPresent())
                    .findFirst())
        .map(test -> OptionalInt.of((int) test.users().getAsLong()))
        .orElse(OptionalInt.empty());
  }

  /** How many are held on average. */
  double load() {
    return perSecond * Durations.seconds(hold);
  }

  /** Pauses of the incident, which go on whatever the size. */
  static List<GcPause> pauses(Incident incident) {
    return incident.timeline().pauses(incident.window());
  }
}
