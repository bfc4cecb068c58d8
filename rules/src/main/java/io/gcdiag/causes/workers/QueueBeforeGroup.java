package io.gcdiag.causes.workers;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Whether requests stand in the queue of a group of workers that keeps no thread waiting: the
 * request thread hands the work over and is free, and the thread that has the answer sends it.
 * Where the queue stood before the load test began, not even its shortest request shows what one
 * needs; what the group spends on each does.
 */
final class QueueBeforeGroup {

  /**
   * Single threads that all requests go through: each makes one call after the other, of the same
   * kind, and as many as there are requests. One that polls for itself makes fewer and longer ones.
   */
  static List<OccupiedWorkers> singles(Incident incident) {
    return OccupiedWorkers.alone(incident).stream()
        .filter(thread -> stands(incident, thread))
        .toList();
  }

  /** Whether they do, by the median of the load test. */
  static boolean stands(Incident incident, OccupiedWorkers group) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<Rate> rate = RequestRate.of(timeline, window);
    Optional<Duration> median =
        TestedRequests.of(incident)
            .flatMap((RequestStats stats) -> stats.percentile(Percentiles.MEDIAN));
    // A single thread that sends the answers looks as if it served the requests.
    boolean server = group.serving() && group.workers() > 1;
    if (server || rate.isEmpty() || median.filter(LoadTestDelays::isLong).isEmpty()) {
      return false;
    }
    double perRequest = group.occupied() / rate.get().perSecond();
    double calls =
        group.workers() > 1
            ? WaitSeries.totals(calls(timeline), window).count()
            : window.seconds() / secondsOfACall(timeline, window);
    return calls >= (1 - Policy.SAMPLES_GOOD_TO) * rate.get().perSecond() * window.seconds()
        && Policy.SUBSTANTIAL * Durations.seconds(median.get()) >= perRequest;
  }

  /** The calls of such threads, as far as they are recorded. */
  private static List<WaitSeries> calls(Timeline timeline) {
    return timeline.waits(WaitKind.DOWNSTREAM).stream()
        .filter(series -> !series.site().onRequestThread())
        .toList();
  }

  /**
   * Mean length of the calls that such threads spend most time in. The shortest calls are not
   * recorded, so there are more calls than this suggests.
   */
  private static double secondsOfACall(Timeline timeline, Window window) {
    return calls(timeline).stream()
        .map(series -> series.within(window))
        .filter(totals -> totals.count() > 0)
        .max(Comparator.comparingDouble(WaitSeries.Totals::waitedSeconds))
        .map(totals -> Durations.seconds(totals.total()) / totals.count())
        .orElse(Double.MAX_VALUE);
  }
}
