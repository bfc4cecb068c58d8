package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What samples of threads in native calls say of calls to databases and remote services. Events
 * show calls above a threshold; samples find calls of any length, in proportion to their time.
 */
public final class SampledCalls {

  /**
   * A request and its answer through a network of one data center take about half a millisecond, on
   * one machine a fifth of that with the work of the other side: what would have to be faster still
   * was not called at all.
   */
  private static final Duration FASTEST_CALL = Duration.ofNanos(200_000);

  /** Hardly anything becomes a hundred times as slow and still answers at once. */
  private static final double SLOWER_AT_MOST = 100;

  /** Nor does everything become ten times as slow where some of it took as long before. */
  private static final double SLOWER_BESIDE_SOME_AS_LONG = 10;

  /**
   * The rule of three: of what no sample finds, fewer than three samples are to be expected, with
   * 95 % confidence.
   */
  private static final double RULE_OF_THREE = 3;

  private SampledCalls() {}

  /** Whether most of the time in calls lies in calls too short for events. */
  public static boolean areMostHidden(Timeline timeline, Window window) {
    double sampled = threads(timeline, window);
    double events = WaitSeries.threads(UserWaits.of(timeline, WaitKind.DOWNSTREAM), window);
    // A recording that was throttled misses calls of any length: the mean of the others is right.
    boolean complete = timeline.coverage().of(Signal.SOCKET_READS).note().isEmpty();
    return complete
        && sampled >= Policy.LEAST_THREADS_FELT
        && events < Policy.SUBSTANTIAL * sampled;
  }

  /** Threads in calls on average; those that serve users, where any is known to. */
  public static double threads(Timeline timeline, Window window) {
    return SampledTime.ofUsers(timeline.samples(SampledTime.class, window)).stream()
            .filter(SampledCalls::isCall)
            .mapToDouble(SampledTime::seconds)
            .sum()
        / window.seconds();
  }

  /** A thread that waits to be connected is in a call that no event will ever show. */
  private static boolean isCall(SampledTime sample) {
    return sample.waitsFor(WaitKind.DOWNSTREAM) && !ConnectWaits.is(sample);
  }

  /** Whether these calls were not made in the baseline ({@link #isNew}) and are quick. */
  static boolean isNewAndQuick(WaitSeries series, Incident incident) {
    WaitSeries.Totals during = series.within(incident.window());
    return during.total().compareTo(Policy.FELT_DELAY.multipliedBy(during.count())) < 0
        && isNew(series, incident);
  }

  /**
   * Whether these calls were as good as not made in the baseline: no event of that remote host is
   * in it, or a few that took as long, and if calls had been made there as often as in the incident
   * and had not been found by samples, they would have taken less than any call does, or than a
   * hundredth of what they take now (a tenth, where some took as long).
   */
  static boolean isNew(WaitSeries series, Incident incident) {
    Optional<Window> baseline = incident.baseline();
    WaitSeries.Totals during = series.within(incident.window());
    if (baseline.isEmpty() || during.count() == 0) {
      return false;
    }
    Timeline timeline = incident.timeline();
    Calls now = calls(series.site().name(), timeline, incident.window());
    Calls before = calls(series.site().name(), timeline, withoutItsEnd(baseline.get()));
    List<SampledTime> samples =
        timeline.samples(SampledTime.class, baseline.get()).stream()
            .filter(sample -> sample.waiting().isPresent())
            // What the end of the baseline cuts may be of the incident.
            .filter(sample -> !sample.at().plus(sample.length()).isAfter(baseline.get().to()))
            .toList();
    long taken = samples.stream().mapToLong(SampledTime::samples).sum();
    if (taken == 0 || before.count() > 0 && !before.areFewOf(now)) {
      return false;
    }
    double perSample = samples.stream().mapToDouble(SampledTime::seconds).sum() / taken;
    long met =
        samples.stream()
            .filter(SampledCalls::isCall)
            .filter(sample -> sample.stack().equals(series.site().stack()))
            .mapToLong(SampledTime::samples)
            .sum();
    double callsInCalm = during.count() / incident.window().seconds() * baseline.get().seconds();
    double longestMean = (RULE_OF_THREE + 2 * met) * perSample / callsInCalm;
    double mean = Durations.seconds(during.total()) / during.count();
    double slower = before.count() > 0 ? SLOWER_BESIDE_SOME_AS_LONG : SLOWER_AT_MOST;
    return longestMean < Math.max(Durations.seconds(FASTEST_CALL), mean / slower);
  }

  private static Calls calls(String remote, Timeline timeline, Window window) {
    List<WaitSeries> calls =
        timeline.waits(WaitKind.DOWNSTREAM).stream()
            .filter(one -> one.site().name().equals(remote))
            .toList();
    WaitSeries.Totals totals = WaitSeries.totals(calls, window);
    return new Calls(totals.count(), Durations.seconds(totals.total()), window.seconds());
  }

  /** Calls in a window, by events. */
  private record Calls(long count, double inCalls, double windowSeconds) {

    /** Whether they are as good as none beside the others, and took as long. */
    boolean areFewOf(Calls others) {
      return perSecond() < Policy.NEGLIGIBLE * others.perSecond()
          && others.meanSeconds() < Policy.CLEARLY_MORE * meanSeconds();
    }

    double perSecond() {
      return count / windowSeconds;
    }

    double meanSeconds() {
      return count == 0 ? 0 : inCalls / count;
    }
  }

  /**
   * The baseline's end is known to a step of the search for it: what comes first in its last
   * twentieth is the incident's beginning.
   */
  private static Window withoutItsEnd(Window baseline) {
    double kept = (1 - Policy.NEGLIGIBLE) * baseline.seconds();
    return new Window(baseline.from(), baseline.from().plus(Durations.ofSeconds(kept)));
  }
}
