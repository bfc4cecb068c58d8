package io.gcdiag.causes.pool;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.ConnectionsInUse;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * How long a request holds the connections that dumps find in use, by Little's law from the
 * requests that a load test counts ({@code S = N / lambda}), beside what requests took before: a
 * connection is held no longer than its request takes.
 *
 * @param asBriefly whether more requests came and each held a connection about as long as before:
 *     whatever else happened, also stops, is in that time
 * @param longer whether each holds one for clearly longer than whole requests took before
 * @param sum the calculation; empty if neither
 */
record LoadedPool(boolean asBriefly, boolean longer, String sum) {

  private static final LoadedPool UNKNOWN = new LoadedPool(false, false, "");

  /** For dumps of the incident in which several wait for a connection. */
  static LoadedPool of(Case incident, List<ThreadSnapshot> queues) {
    return of(incident, queues, ConnectionsInUse::count);
  }

  /** The same where requests keep their connections while they are in calls to other hosts. */
  static LoadedPool keptElsewhere(Case incident, List<ThreadSnapshot> queues) {
    return of(
        incident,
        queues,
        dump -> ConnectionsInUse.count(dump) + ConnectionsInUse.elsewhere(dump).size());
  }

  private static LoadedPool of(
      Case incident, List<ThreadSnapshot> queues, ToLongFunction<ThreadSnapshot> holders) {
    double inUse = queues.stream().mapToLong(holders).average().orElse(0);
    if (inUse <= 0) {
      return UNKNOWN;
    }
    if (incident.baseline().isPresent()) {
      return overTime(incident, queues, inUse, holders);
    }
    // Of requests that come while all others queue, the fastest need no connection and say nothing
    // of those that do. In the figures of a whole run they may be from quieter times.
    return incident.timeline().mainRequestSeries().isPresent()
        ? UNKNOWN
        : ofWholeRun(incident, queues, inUse);
  }

  /** Compares the rates of incident and baseline, and what a request takes in each. */
  private static LoadedPool overTime(
      Case incident,
      List<ThreadSnapshot> queues,
      double inUse,
      ToLongFunction<ThreadSnapshot> holders) {
    Optional<RequestExcess> requests =
        incident.requests().filter(RequestExcess::compared).filter(any -> any.inSystemBefore() > 0);
    double rate = perSecond(incident, incident.window());
    double usualRate = perSecond(incident, incident.baseline().orElseThrow());
    if (requests.isEmpty() || rate <= 0 || usualRate <= 0) {
      return UNKNOWN;
    }
    double held = inUse / rate;
    double usual = requests.get().inSystemBefore() / usualRate;
    // What requests do beside it now, they did before: the rest was the time of holding one.
    double beside =
        queues.stream().mapToLong(dump -> neitherWaitNorHold(dump, holders)).average().orElse(0)
            / rate;
    boolean more = rate >= Policy.CLEARLY_MORE * usualRate;
    boolean briefly = more && held < Policy.CLEARLY_MORE * (usual - beside);
    boolean longer = held >= Policy.CLEARLY_MORE * usual;
    return briefly || longer
        ? new LoadedPool(
            briefly,
            longer,
            "connections in use / requests per second = %s / %s = %s each; before, at %s, a request took %s in all"
                .formatted(
                    Numbers.threeDigits(inUse),
                    new Rate(rate),
                    seconds(held),
                    new Rate(usualRate),
                    seconds(usual)))
        : UNKNOWN;
  }

  /**
   * No more requests than the run had can have come while the connections were in use. If even
   * those would not have needed them by what an undisturbed request takes, and at the run's mean
   * rate each is held for many times that, it is held longer.
   */
  private static LoadedPool ofWholeRun(Case incident, List<ThreadSnapshot> queues, double inUse) {
    Optional<RequestStats> run = incident.timeline().mainRequestStats();
    Optional<Duration> usual = run.flatMap(RequestExcess::undisturbed);
    double seconds = spanSeconds(queues);
    if (usual.isEmpty() || run.get().requests().isEmpty()) {
      return UNKNOWN;
    }
    if (seconds <= 0) {
      return inOneDump(incident, Durations.seconds(usual.get()), inUse);
    }
    double most = run.get().requests().getAsLong() / seconds;
    double needed = most * Durations.seconds(usual.get());
    double held = inUse / perSecond(incident, incident.window());
    return needed <= Policy.CLEAR_ROOM * inUse
            && LoadTestDelays.isManyTimes(held, Durations.seconds(usual.get()))
        ? new LoadedPool(
            false,
            true,
            "even if all %s requests of the test had come in these %s, they would have needed %s of the %s connections in use, at %s each"
                .formatted(
                    Numbers.count(run.get().requests().getAsLong()),
                    seconds(seconds),
                    Numbers.threeDigits(needed),
                    Numbers.threeDigits(inUse),
                    Durations.format(usual.get())))
        : UNKNOWN;
  }

  /**
   * Half of the requests took no longer than an undisturbed one, and so waited for no connection.
   * If the other half, held as briefly, cannot keep the connections in use for more than a moment
   * of the test, a dump does not meet that moment by chance.
   */
  private static LoadedPool inOneDump(Case incident, double usual, double inUse) {
    double rate = perSecond(incident, incident.window());
    double full = rate * Policy.MAJORITY * usual / inUse;
    return rate > 0 && full <= Policy.NEGLIGIBLE && LoadTestDelays.isManyTimes(inUse / rate, usual)
        ? new LoadedPool(
            false,
            true,
            "half of the requests took at most %s and did not wait: the others, held as briefly, keep %s connections in use for %s / 2 x %s / %s = %s of the test"
                .formatted(
                    seconds(usual),
                    Numbers.threeDigits(inUse),
                    new Rate(rate),
                    seconds(usual),
                    Numbers.threeDigits(inUse),
                    new Ratio(full)))
        : UNKNOWN;
  }

  private static double spanSeconds(List<ThreadSnapshot> queues) {
    List<Instant> at = queues.stream().flatMap(dump -> dump.at().stream()).sorted().toList();
    return at.isEmpty() ? 0 : Durations.seconds(Duration.between(at.get(0), at.get(at.size() - 1)));
  }

  private static double perSecond(Case incident, Window window) {
    return RequestRate.of(incident, window).map(Rate::perSecond).orElse(0.0);
  }

  private static long neitherWaitNorHold(
      ThreadSnapshot dump, ToLongFunction<ThreadSnapshot> holders) {
    long working =
        dump.requestThreads().stream()
            .filter(thread -> !thread.is(ThreadActivity.IDLE))
            .filter(thread -> !thread.is(ThreadActivity.WAITING_FOR_POOL))
            .count();
    return Math.max(0, working - holders.applyAsLong(dump));
  }

  private static String seconds(double seconds) {
    return Durations.format(Duration.ofNanos(Math.round(seconds * 1e9)));
  }
}
