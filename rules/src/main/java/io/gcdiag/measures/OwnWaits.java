package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Waits of request threads for tasks, as futures are. They are what requests lost where no latency
 * is known; waits for a latch or a condition are an effect of their own and count there.
 *
 * @param during threads on average in the incident, without GC pauses
 * @param before the same in the baseline
 * @param longerSeconds thread-seconds by which the incident's waits were longer than as many of the
 *     baseline; more waits as long as before are those of more requests
 */
record OwnWaits(double during, double before, double longerSeconds) {

  /** Against a baseline. */
  static OwnWaits of(Incident incident, Window baseline) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<WaitSeries> counted = UserWaits.of(timeline, WaitKind.OTHER);
    List<WaitSeries> series =
        WaitSeries.ofRequests(timeline.waits(WaitKind.OTHER)).stream()
            .filter(wait -> !counted.contains(wait))
            .toList();
    double frozen = StopCost.frozenSeconds(series, timeline.pauses(window));
    double now = Math.max(0, WaitSeries.seconds(series, window) - frozen);
    double longer = -frozen;
    for (WaitSeries wait : series) {
      WaitSeries.Totals there = wait.within(window);
      longer +=
          Math.max(0, there.waitedSeconds() - there.count() * usual(timeline, wait, baseline));
    }
    boolean elsewhere = isCountedElsewhere(incident, baseline);
    return new OwnWaits(
        now / window.seconds(),
        WaitSeries.threads(series, baseline),
        elsewhere ? 0 : Math.max(0, longer));
  }

  /** How long such a wait was; one that was never recorded may have been just too short for it. */
  private static double usual(Timeline timeline, WaitSeries wait, Window baseline) {
    WaitSeries.Totals before = wait.within(baseline);
    return before.count() > 0
        ? before.waitedSeconds() / before.count()
        : Durations.seconds(timeline.threshold(Signal.THREAD_PARKS).orElse(Duration.ZERO));
  }

  /**
   * Whether waits of other threads that requests wait for count already: those for a connection do
   * on any thread, and calls of threads that were seen to complete responses.
   */
  private static boolean isCountedElsewhere(Incident incident, Window baseline) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<WaitSeries> borrowing =
        timeline.waits(WaitKind.POOL).stream()
            .filter(wait -> !wait.site().onRequestThread())
            .toList();
    double more = WaitSeries.threads(borrowing, window) - WaitSeries.threads(borrowing, baseline);
    return more >= Policy.LEAST_THREADS_FELT || !timeline.samples(AnsweringGroup.class).isEmpty();
  }

  /** Places where request threads wait for something of their own. */
  static Map<String, Double> places(Timeline timeline, Window window) {
    Map<String, Double> places = new TreeMap<>();
    for (WaitSeries series : WaitSeries.ofRequests(timeline.waits(WaitKind.OTHER))) {
      double threads = series.within(window).waitedSeconds() / window.seconds();
      if (threads > 0) {
        places.merge("waiting in " + series.site().stack(), threads, Double::sum);
      }
    }
    return places;
  }
}
