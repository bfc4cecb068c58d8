package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.LoadModel;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Named;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The scarce resource: a pool's connections, or the threads that requests run on.
 *
 * @param now its present number
 * @param perSecond requests for one, per second
 * @param perSecondBefore the same in the baseline; empty if it is not known separately
 * @param hold how long one is held when nothing delays its holder
 * @param users upper bound of simultaneous requests for one; empty if there is none
 */
public record ScarceServers(
    Kind kind,
    int now,
    double perSecond,
    OptionalDouble perSecondBefore,
    Duration hold,
    OptionalInt users) {

  private static final String WORKERS = "workers";

  enum Kind implements Named {
    CONNECTIONS,
    THREADS,
    /** One per core; blocking work belongs on other threads. */
    EVENT_LOOPS
  }

  String change(int count) {
    return switch (kind) {
      case CONNECTIONS -> now + " to " + count + " connections";
      case THREADS -> now + " to " + count + " threads";
      case EVENT_LOOPS -> "blocking calls on " + count + " worker threads";
    };
  }

  /** The pool's connections; empty if rate, hold time or size is unknown. */
  public static Optional<ScarceServers> connections(Incident incident) {
    Window window = incident.window();
    Window usual = incident.baseline().orElse(window);
    Optional<Duration> hold =
        PoolDemand.hold(incident, usual)
            .or(() -> PoolDemand.hold(incident, window))
            .map(PoolDemand.Known::value)
            .map(known -> atMostFastest(incident, known));
    Optional<Integer> size =
        PoolDemand.size(incident.timeline(), window).map(PoolDemand.Known::value);
    Optional<PoolDemand.Known<Rate>> rate = PoolDemand.rate(incident, window);
    if (hold.isEmpty() || size.isEmpty() || rate.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ScarceServers(
            Kind.CONNECTIONS,
            size.get(),
            asked(
                incident,
                rate.get().value(),
                isOfWholeRun(incident, rate.get()),
                LittlesLaw.sustainableRatePerSecond(size.get(), hold.get())),
            before(incident),
            hold.get(),
            users(incident)));
  }

  /** The threads of the group that the diagnosis found busy; empty if there is no such finding. */
  public static Optional<ScarceServers> threads(MeasuredIncident incident, List<Finding> findings) {
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
    // While all are busy, the throughput is their number divided by the hold time; more may arrive.
    Rate served =
        incident
            .timeline()
            .requestsOfSpan()
            .flatMap(series -> series.answered(incident.window()))
            .orElse(rate.get());
    Duration hold = Durations.ofSeconds(threads / served.perSecond());
    return Optional.of(
        new ScarceServers(
            FullGroup.of(incident).filter(FullGroup::isEventLoop).isPresent()
                ? Kind.EVENT_LOOPS
                : Kind.THREADS,
            threads,
            asked(incident, rate.get(), false, rate.get().perSecond()),
            OptionalDouble.empty(),
            hold,
            users(incident)));
  }

  /** Work that one thread does for all requests has no adjustable number of threads. */
  private static boolean isOneThread(MeasuredIncident incident) {
    return incident
        .workerQueue()
        .filter(queue -> queue.role() == WorkerQueue.Role.EXECUTOR && queue.workers() == 1)
        .isPresent();
  }

  /** Limits the hold time to the latency of the fastest request, which did not wait. */
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
   * The rate at which they are requested: the counted rate, plus what the load generator reports as
   * not sent. If requests are counted only over a whole test, the incident's rate may be as high as
   * all of them can serve while busy, but no more than the test had in total.
   */
  private static double asked(Incident incident, Rate rate, boolean ofWholeRun, double mostServed) {
    Optional<RequestStats> test = incident.timeline().mainRequestStats();
    double seconds = incident.window().seconds();
    double dropped = test.map(run -> run.dropped().orElse(0)).orElse(0L) / seconds;
    double counted = rate.perSecond();
    if (ofWholeRun) {
      double all = test.map(run -> run.requests().orElse(0)).orElse(0L) / seconds;
      counted = Math.min(mostServed, Math.max(counted, all));
    }
    return counted + dropped;
  }

  private static OptionalDouble before(Incident incident) {
    return Numbers.of(
        incident
            .baseline()
            .flatMap(baseline -> PoolDemand.rate(incident, baseline))
            .filter(rate -> !isOfWholeRun(incident, rate)),
        rate -> rate.value().perSecond());
  }

  private static boolean isOfWholeRun(Incident incident, PoolDemand.Known<Rate> rate) {
    return incident.timeline().requestsOfSpan().isEmpty()
        && incident
            .timeline()
            .mainRequestStats()
            .filter(test -> test.source().equals(rate.source()))
            .isPresent();
  }

  /**
   * Of two files of one test, such as ab's output and its table of requests, only one may have it.
   */
  private static OptionalInt users(Incident incident) {
    return incident
        .timeline()
        .mainRequestStats()
        .flatMap(
            main ->
                incident.timeline().requests().stats().stream()
                    .filter(test -> test.requests().equals(main.requests()))
                    .filter(test -> test.model().equals(Optional.of(LoadModel.CLOSED)))
                    .filter(test -> test.users().isPresent())
                    .findFirst())
        .map(test -> OptionalInt.of((int) test.users().getAsLong()))
        .orElse(OptionalInt.empty());
  }

  /** Number in use, on average (Little's law). */
  public double load() {
    return perSecond * Durations.seconds(hold);
  }

  /** Pauses of the incident, which do not depend on the number. */
  static List<GcPause> pauses(Incident incident) {
    return incident.timeline().pauses(incident.window());
  }
}
