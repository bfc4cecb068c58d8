package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.HostService;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.AllocatedElsewhere;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Calls to databases and remote services as samples of threads in native calls show them. Events
 * show calls above a threshold; samples find calls of any length, in proportion to their time.
 */
public final class SampledCalls {

  /**
   * A round trip in one data center takes about half a millisecond, on one machine about a fifth of
   * that including the work of the other side. No real call is faster than this.
   */
  private static final Duration FASTEST_CALL = Duration.ofNanos(200_000);

  /** A call hardly becomes a hundred times as slow and still succeeds. */
  private static final double SLOWER_AT_MOST = 100;

  /** The same limit if some calls of the baseline took as long as those of the incident. */
  private static final double SLOWER_BESIDE_SOME_AS_LONG = 10;

  /**
   * The rule of three: if no sample finds something, fewer than three samples are to be expected,
   * with 95 % confidence.
   */
  private static final double RULE_OF_THREE = 3;

  private SampledCalls() {}

  /** Whether most of the time in calls is spent in calls below the events' threshold. */
  public static boolean areMostHidden(Timeline timeline, Window window) {
    double sampled = threads(timeline, window);
    // A throttled recording misses calls of any length, so the number of its events is too low.
    boolean complete = timeline.coverage().of(Signal.SOCKET_READS).note().isEmpty();
    return complete
        && sampled >= Policy.LEAST_THREADS_FELT
        && hidden(timeline, window) > Policy.MAJORITY * sampled;
  }

  /**
   * Threads on average in calls that no event shows: by samples, less those by events; no more than
   * are in no recorded state, unless threads poll for requests.
   */
  public static double hidden(Timeline timeline, Window window) {
    double events = WaitSeries.threads(UserWaits.of(timeline, WaitKind.DOWNSTREAM), window);
    boolean polling =
        timeline.samples(SampledTime.class, window).stream()
            .anyMatch(sample -> sample.onRequestThread() && sample.waitsFor(WaitKind.IDLE));
    double most =
        UntimedWaits.of(timeline, window)
            .filter(untimed -> untimed.ofAll() && !polling)
            .map(UntimedWaits::threads)
            .orElse(Double.POSITIVE_INFINITY);
    return Math.min(most, Math.max(0, threads(timeline, window) - events));
  }

  /** Threads in calls on average: request threads, if any are known, otherwise all. */
  public static double threads(Timeline timeline, Window window) {
    return in(timeline, window).mapToDouble(SampledTime::seconds).sum() / window.seconds();
  }

  private static Stream<SampledTime> in(Timeline timeline, Window window) {
    return SampledTime.ofUsers(timeline.samples(SampledTime.class, window)).stream()
        .filter(SampledCalls::isCall);
  }

  /** The same in each bucket of a span. */
  public static double[] over(Timeline timeline, Window span, Duration bucket, int count) {
    double[] threads = new double[count];
    in(timeline, span)
        .forEach(
            sample -> {
              Duration at = Duration.between(span.from(), sample.at());
              int i = (int) Math.min(count - 1, at.dividedBy(bucket));
              threads[i] += sample.seconds() / Durations.seconds(bucket);
            });
    return threads;
  }

  /**
   * No event will ever show a thread that waits for its connection to be established, or for random
   * numbers of the host, however long it does.
   */
  private static boolean isCall(SampledTime sample) {
    return sample.waitsFor(WaitKind.DOWNSTREAM)
        && !ConnectWaits.is(sample)
        && !HostService.isRandom(sample.name());
  }

  /** Whether these calls are new ({@link #isNew}) and quick. */
  static boolean isNewAndQuick(WaitSeries series, Incident incident) {
    return isQuick(series, incident.window()) && isNew(series, incident);
  }

  private static boolean isQuick(WaitSeries series, Window window) {
    WaitSeries.Totals during = series.within(window);
    return during.total().compareTo(Policy.FELT_DELAY.multipliedBy(during.count())) < 0;
  }

  /**
   * Whether nothing tells quick calls that are new from those that have become longer than the
   * events' threshold: no samples were taken in the baseline, and no event shows one.
   */
  static boolean areNewOrLonger(List<WaitSeries> calls, Incident incident) {
    return !calls.isEmpty()
        && incident.timeline().samples(SampledTime.class).isEmpty()
        && incident
            .baseline()
            .filter(usual -> calls.stream().allMatch(one -> one.within(usual).count() == 0))
            .isPresent()
        && calls.stream().allMatch(one -> isQuick(one, incident.window()));
  }

  /**
   * Whether the baseline has practically none of these calls. No event of the baseline shows that
   * remote host, or only a few calls that took as long. Samples did not find the calls either: had
   * they been made as often as in the incident, they would have had to be faster than any real
   * call, or a hundred times faster than now (ten times, if some took as long). Where none were
   * taken, the requests that make the calls must have begun with them.
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
            // A sample that the end of the baseline cuts may belong to the incident.
            .filter(sample -> !sample.at().plus(sample.length()).isAfter(baseline.get().to()))
            .toList();
    long taken = samples.stream().mapToLong(SampledTime::samples).sum();
    if (before.count() > 0 && !before.areFewOf(now)) {
      return false;
    }
    if (taken == 0) {
      return before.count() == 0 && AllocatedElsewhere.began(incident, Activity.CALLING);
    }
    double perSample = samples.stream().mapToDouble(SampledTime::seconds).sum() / taken;
    long met =
        samples.stream()
            .filter(SampledCalls::isCall)
            .filter(sample -> sample.stack().equals(series.site().stack()))
            .mapToLong(SampledTime::samples)
            .sum();
    double callsInBaseline =
        during.count() / incident.window().seconds() * baseline.get().seconds();
    double longestMean = (RULE_OF_THREE + 2 * met) * perSample / callsInBaseline;
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

    /** Whether these calls are negligible in number beside the others and took as long. */
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
   * The baseline without its last twentieth. Its end is known only to one step of the search, so
   * the incident may begin a little earlier.
   */
  private static Window withoutItsEnd(Window baseline) {
    double kept = (1 - Policy.NEGLIGIBLE) * baseline.seconds();
    return new Window(baseline.from(), baseline.from().plus(Durations.ofSeconds(kept)));
  }
}
