package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.HostService;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls to databases and remote services in one window, as far as they are longer than the
 * recording's threshold. Stop-the-world time inside a call is subtracted.
 *
 * @param meanSeconds their mean, net of stop-the-world time
 * @param busiest the site with the most time
 * @param source where they were read
 */
public record DownstreamCalls(long count, double meanSeconds, WaitSeries busiest, Source source) {

  /**
   * Traffic seldom grows by more than this factor within minutes. If calls above the threshold do,
   * calls that were below it became slower.
   */
  static final double JUMP = 5;

  private static final double TAIL = 1 - Policy.TAIL;

  /** What the table of frames calls waits for the result of a reactive chain. */
  private static final Set<String> RESULTS = Set.of("Reactor", "RxJava", "Mutiny");

  /**
   * Whether a wait is for the result of a reactive chain: for an answer, or for a connection before
   * the call, for which no thread waits.
   */
  public static boolean isForResult(WaitSeries series) {
    return RESULTS.contains(series.site().name());
  }

  /** Whether requests wait for such results more than for any recorded call. */
  public static boolean areForResults(Timeline timeline, Window window) {
    return of(timeline, window).filter(calls -> isForResult(calls.busiest())).isPresent();
  }

  /**
   * Whether the recording's threshold hides hardly any calls. If it hid many, many of the recorded
   * calls would be just above it.
   */
  public static boolean areAllSeen(Timeline timeline) {
    // The note says that the recording was throttled; then means are right, but counts are too low.
    return timeline.coverage().of(Signal.SOCKET_READS).note().isEmpty()
        && hardlyAnyNearThreshold(timeline);
  }

  /**
   * The 99th percentile of the calls, of fewer than a hundred the longest, divided by their median.
   * Empty if the threshold hides short calls, or if there are too few calls.
   */
  public static OptionalDouble spread(Timeline timeline, Window window) {
    return hardlyAnyNearThreshold(timeline)
        ? Numbers.of(
            of(timeline, window)
                .map(DownstreamCalls::busiest)
                .filter(calls -> calls.count() >= Policy.FEWEST_FOR_A_MEAN),
            calls -> Durations.seconds(calls.length(TAIL)) / Durations.seconds(calls.length(0.5)))
        : OptionalDouble.empty();
  }

  private static boolean hardlyAnyNearThreshold(Timeline timeline) {
    // Just above is up to one and a half times the threshold.
    Duration justAbove =
        timeline
            .threshold(Signal.SOCKET_READS)
            .map(t -> t.multipliedBy(3).dividedBy(2))
            .orElse(Duration.ZERO);
    long count = 0;
    long near = 0;
    for (WaitSeries series : answers(timeline)) {
      count += series.count();
      near += series.countShorterThan(justAbove);
    }
    return count >= Policy.FEWEST_COUNTED && near < Policy.NOTABLE * count;
  }

  /**
   * Share of the incident's time in calls that is due to slower calls and not to more of them: a
   * busier service spends more time in calls even if they are as fast as in the baseline.
   *
   * @return 0 to 1; empty if the means of the two windows cannot be compared, because the
   *     recording's threshold hides calls
   */
  public static OptionalDouble shareOfSlowerCalls(Incident incident) {
    Timeline timeline = incident.timeline();
    if (CallMeters.areAlone(timeline)) {
      return CallMeters.shareOfSlower(incident);
    }
    List<WaitSeries> all = answers(timeline);
    List<WaitSeries> asBefore = asBefore(incident);
    double kept = shareOfTime(asBefore, all, incident.window());
    if (kept == 0) {
      return OptionalDouble.of(0);
    }
    Optional<DownstreamCalls> during = of(asBefore, timeline, incident.window());
    Optional<DownstreamCalls> before = usual(asBefore, incident);
    boolean comparable =
        during.filter(calls -> calls.count() >= Policy.FEWEST_COUNTED).isPresent()
            && before.isPresent()
            && (hardlyAnyNearThreshold(timeline)
                || during.get().count() / incident.window().seconds()
                    < JUMP * before.get().count() / incident.baseline().get().seconds());
    if (during.isPresent() && before.isEmpty() && isBelowThreshold(timeline, during.get())) {
      return OptionalDouble.of(0);
    }
    if (!comparable || during.get().meanSeconds() <= 0) {
      return asBefore.size() == all.size() ? OptionalDouble.empty() : OptionalDouble.of(kept);
    }
    return OptionalDouble.of(
        kept * Math.max(0, 1 - before.get().meanSeconds() / during.get().meanSeconds()));
  }

  /**
   * Whether calls are recorded only because they contain a pause: without it they are shorter than
   * the threshold, like the calls of a baseline that shows none.
   */
  private static boolean isBelowThreshold(Timeline timeline, DownstreamCalls calls) {
    return timeline
        .threshold(Signal.SOCKET_READS)
        .filter(threshold -> calls.meanSeconds() < Durations.seconds(threshold))
        .isPresent();
  }

  /**
   * Whether hardly any call of the incident took less than half of the mean. A slower remote host
   * makes all calls longer. Waiting for CPU, like any queue, makes some calls longer and leaves
   * others as they are. False if the recording's threshold hides calls of that length.
   */
  public static boolean areSlowedAlike(Incident incident) {
    Timeline timeline = incident.timeline();
    List<WaitSeries> series = asBefore(incident);
    Optional<DownstreamCalls> during = of(series, timeline, incident.window());
    if (during.isEmpty() || during.get().count() < Policy.FEWEST_COUNTED) {
      return false;
    }
    Duration half = Durations.ofSeconds(during.get().meanSeconds() / 2);
    Duration threshold = timeline.threshold(Signal.SOCKET_READS).orElse(Duration.ZERO);
    // The histogram covers the whole recording. Calls outside the incident are assumed to be short
    // ones, which gives a lower bound for the short ones inside.
    long all = series.stream().mapToLong(WaitSeries::count).sum();
    long shorter = series.stream().mapToLong(one -> one.countShorterThan(half)).sum();
    long inside = shorter - Math.min(shorter, all - during.get().count());
    return half.compareTo(threshold) > 0 && inside < Policy.NOTABLE * during.get().count();
  }

  /** Calls that the baseline may have had too: all but those that are new and quick. */
  private static List<WaitSeries> asBefore(Incident incident) {
    return answers(incident.timeline()).stream()
        .filter(series -> !SampledCalls.isNewAndQuick(series, incident))
        .toList();
  }

  /**
   * The same calls in the baseline, if there are enough of them. If request threads made hardly
   * any, calls of all threads to the same remote hosts: a call that a worker thread made before
   * (while the executor had free threads) is not a new call.
   */
  private static Optional<DownstreamCalls> usual(List<WaitSeries> calls, Incident incident) {
    Set<String> remotes =
        calls.stream().map(series -> series.site().name()).collect(Collectors.toSet());
    List<WaitSeries> ofAnyThread =
        incident.timeline().waits(WaitKind.DOWNSTREAM).stream()
            .filter(series -> remotes.contains(series.site().name()))
            .toList();
    return Stream.of(calls, ofAnyThread)
        .flatMap(
            some ->
                incident.baseline().stream()
                    .flatMap(baseline -> of(some, incident.timeline(), baseline).stream()))
        .filter(before -> before.count() >= Policy.FEWEST_COUNTED)
        .findFirst();
  }

  /** What requests wait for but new connections, unless they wait for nothing else. */
  private static List<WaitSeries> answers(Timeline timeline) {
    List<WaitSeries> all = UserWaits.of(timeline, WaitKind.DOWNSTREAM);
    List<WaitSeries> answers = all.stream().filter(series -> !series.site().isOpening()).toList();
    return answers.isEmpty() ? all : answers;
  }

  /** Calls to one remote host in the baseline; of any thread if request threads made none. */
  public static Optional<DownstreamCalls> usual(String remote, Incident incident) {
    return usual(sites(remote, incident.timeline()), incident);
  }

  /** Whether the baseline has enough of these calls to show how long they usually take. */
  public static boolean areUsual(Incident incident) {
    return usual(asBefore(incident), incident).isPresent();
  }

  /** Whether the baseline has no calls to that address, however long they take now. */
  public static boolean areNew(Incident incident, String remote) {
    List<WaitSeries> calls = sites(remote, incident.timeline());
    return !calls.isEmpty()
        && calls.stream().allMatch(series -> SampledCalls.isNew(series, incident));
  }

  /**
   * Whether quick calls may have begun, with more requests, as well as become longer than the
   * events' threshold: only samples or counted requests would tell.
   */
  public static boolean mayBeNew(Incident incident) {
    return !RequestRate.isKnownOverTime(incident.timeline())
        && SampledCalls.areNewOrLonger(asBefore(incident), incident);
  }

  /** Share of the waiting in the window that lies in some of the series; 1 if there is none. */
  private static double shareOfTime(List<WaitSeries> some, List<WaitSeries> all, Window window) {
    double whole = WaitSeries.seconds(all, window);
    double part = WaitSeries.seconds(some, window);
    return whole > 0 ? part / whole : 1;
  }

  /** Calls per second as a multiple of the baseline; 0 if either window has too few. */
  public static double growth(Incident incident) {
    Optional<Window> baseline = incident.baseline();
    if (baseline.isPresent() && CallMeters.areAlone(incident.timeline())) {
      double before = CallMeters.perSecond(incident.timeline(), baseline.get());
      return before > 0 ? CallMeters.perSecond(incident.timeline(), incident.window()) / before : 0;
    }
    Optional<DownstreamCalls> before = baseline.flatMap(window -> of(incident.timeline(), window));
    Optional<DownstreamCalls> during = of(incident.timeline(), incident.window());
    return before.isEmpty()
            || during.isEmpty()
            || Math.min(before.get().count(), during.get().count()) < Policy.FEWEST_COUNTED
        ? 0
        : during.get().count()
            / incident.window().seconds()
            / (before.get().count() / baseline.orElseThrow().seconds());
  }

  public static Optional<DownstreamCalls> of(Timeline timeline, Window window) {
    return of(answers(timeline), timeline, window);
  }

  public static Optional<DownstreamCalls> to(String remote, Timeline timeline, Window window) {
    return of(sites(remote, timeline), timeline, window);
  }

  /** Calls of request threads to that remote host. */
  public static List<WaitSeries> sites(String remote, Timeline timeline) {
    return answers(timeline).stream()
        .filter(series -> series.site().name().equals(remote))
        .toList();
  }

  private static Optional<DownstreamCalls> of(
      List<WaitSeries> series, Timeline timeline, Window window) {
    WaitSeries.Totals totals = WaitSeries.totals(series, window);
    if (totals.count() == 0) {
      return Optional.empty();
    }
    double seconds =
        Durations.seconds(totals.total())
            - StopCost.frozenSeconds(series, timeline.pauses(window))
            - StopCost.frozenBySafepoints(series, timeline.safepoints(window), SafepointStop::lost);
    WaitSeries busiest = WaitSeries.longest(series, window).orElseThrow();
    return Optional.of(
        new DownstreamCalls(
            totals.count(), Math.max(0, seconds) / totals.count(), busiest, busiest.source()));
  }

  /**
   * Share of the time in calls that is spent waiting for random numbers of the host, 0 to 1.
   * Normally there is none: the host produces a limited amount per second, and threads wait in line
   * for it.
   */
  public static double randomShare(Incident incident) {
    Window window = incident.window();
    List<WaitSeries> all = answers(incident.timeline());
    List<WaitSeries> random =
        all.stream().filter(series -> HostService.isRandom(series.site().name())).toList();
    double waited = WaitSeries.seconds(all, window);
    return waited > 0 ? WaitSeries.seconds(random, window) / waited : 0;
  }

  /**
   * By what factor calls take longer in the incident than in the baseline; 1 if they do not, or if
   * it cannot be known.
   *
   * <p>Calls below the recording's threshold are not seen. If the baseline shows none, its calls
   * took less than the threshold. If only few requests of the incident show a long call, or if
   * samples find threads in calls far more often than events do, calls are not slower in general.
   * The request count of a whole load test does not help here: most requests of the incident may
   * have waited for a connection and never made a call. Calls that the baseline did not have at all
   * are left out, and 1 is the answer where it {@linkplain #mayBeNew may not have had them}.
   */
  public static double inflation(Incident incident) {
    return inflation(incident, any -> true);
  }

  /** The same for the calls to some remote hosts only, by address. */
  public static double inflation(Incident incident, Predicate<String> remotes) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<Window> baseline = incident.baseline();
    List<WaitSeries> asBefore =
        asBefore(incident).stream().filter(series -> remotes.test(series.site().name())).toList();
    Optional<DownstreamCalls> during = of(asBefore, timeline, window);
    if (baseline.isEmpty() || during.isEmpty() || during.get().count() < Policy.FEWEST_COUNTED) {
      return 1;
    }
    Optional<Rate> rate =
        RequestRate.isKnownOverTime(timeline) ? RequestRate.of(timeline, window) : Optional.empty();
    // A throttled recording drops calls, so the number of requests that made one is unknown.
    boolean throttled = !timeline.coverage().of(Signal.SOCKET_READS).note().isEmpty();
    boolean exception =
        !throttled
            && rate.filter(
                    r -> during.get().count() < Policy.MAJORITY * r.perSecond() * window.seconds())
                .isPresent();
    Duration threshold = timeline.threshold(Signal.SOCKET_READS).orElse(Duration.ZERO);
    double before =
        usual(asBefore, incident)
            .map(DownstreamCalls::meanSeconds)
            .orElse(Durations.seconds(threshold));
    if (exception
        || before <= 0
        || SampledCalls.areMostHidden(timeline, window)
        || mayBeNew(incident)) {
      return 1;
    }
    double factor = during.get().meanSeconds() / before;
    return factor >= Policy.CLEARLY_MORE ? factor : 1;
  }
}
