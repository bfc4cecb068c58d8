package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Thread dumps as samples: what threads do in dumps is what they spend their time on. Dumps show
 * waits that no event records: waits of virtual threads, waits that had not ended when the
 * recording ended, and all waits if there is no recording.
 */
public final class DumpTimes {

  /** Dumps have timestamps in whole seconds and take a moment themselves. */
  static final Duration AROUND = Duration.ofSeconds(1);

  /**
   * After a pause, queues are gone within this time or have another cause. Users lose their train
   * of thought after 10 s (J. Nielsen, Usability Engineering, 1993, section 5.5), and callers give
   * up.
   */
  private static final Duration AFTER_A_STOP = Duration.ofSeconds(10);

  private DumpTimes() {}

  /**
   * Dumps taken in the incident window. If there are none and the window is the whole recording:
   * dumps without a timestamp, or all dumps if nothing else has timestamps.
   */
  public static List<ThreadSnapshot> during(Incident incident) {
    Timeline timeline = incident.timeline();
    List<ThreadSnapshot> inside = timeline.dumps(incident.window());
    if (!inside.isEmpty()) {
      return seeing(inside);
    }
    boolean dated = incident.windows().dated();
    boolean everything = incident.windows().chosenBy() == ChosenBy.WHOLE_RECORDING || !dated;
    return everything
        ? seeing(timeline.dumps().stream().filter(dump -> !dated || dump.at().isEmpty()).toList())
        : List.of();
  }

  /**
   * Whether something was found in two dumps and in at least half of them. One dump may be chance.
   */
  public static boolean areOften(long found, List<ThreadSnapshot> dumps) {
    return found >= Policy.FEWEST_DUMPS && 2 * found >= dumps.size();
  }

  /**
   * If virtual threads serve requests, the dumps that include them. {@code Thread.print} and
   * recordings leave virtual threads out.
   */
  private static List<ThreadSnapshot> seeing(List<ThreadSnapshot> dumps) {
    List<ThreadSnapshot> virtual = dumps.stream().filter(DumpTimes::showsVirtual).toList();
    return virtual.isEmpty() ? dumps : virtual;
  }

  private static boolean showsVirtual(ThreadSnapshot dump) {
    return dump.threads().stream().anyMatch(thread -> thread.virtual() && thread.requestThread());
  }

  /**
   * Waiting that the dumps of a window show; empty if it may be chance.
   *
   * @param recorded threads waiting on average by the recorded events
   */
  public static Optional<DumpedWaits> seen(
      Incident incident, Window window, Effect effect, double recorded) {
    Optional<ThreadActivity> activity = activity(effect);
    Timeline timeline = incident.timeline();
    List<ThreadSnapshot> all = of(incident, window);
    if (activity.isEmpty() || all.isEmpty()) {
      return Optional.empty();
    }
    List<ThreadSnapshot> usual =
        all.stream().filter(dump -> !isAfterStops(timeline, window, dump)).toList();
    List<ThreadSnapshot> dumps = usual.isEmpty() ? all : usual;
    // A dump is taken at a safepoint and never during a pause, so it samples running time only.
    double running = running(timeline, window) / dumps.size();
    Map<String, Double> bySubject = new TreeMap<>();
    int met = 0;
    int found = 0;
    double present = 0;
    for (ThreadSnapshot dump : dumps) {
      List<ThreadState> waiting = users(timeline, dump, activity.get());
      met += waiting.isEmpty() ? 0 : 1;
      found += waiting.size();
      present += running * Math.max(waiting.size(), present(dump));
      waiting.forEach(thread -> bySubject.merge(name(thread), running, Double::sum));
    }
    double threads = (double) found / dumps.size();
    boolean few = recorded > 0 && found < Policy.FEWEST_COUNTED;
    // A thread that has waited for seconds before a dump was not found by chance.
    boolean passing =
        effect != Effect.POOL_WAIT
            || dumps.stream().noneMatch(dump -> UnendedWaits.areInPools(timeline, dump));
    boolean chance = threads < Policy.FEWEST_QUEUED || 2 * met < dumps.size() && passing || few;
    return chance
        ? Optional.empty()
        : Optional.of(
            DumpedWaits.of(
                bySubject,
                present,
                dumps.size(),
                DumpSamples.of(dumps, dump -> users(timeline, dump, activity.get())),
                window,
                !usual.isEmpty()));
  }

  private static List<ThreadSnapshot> of(Incident incident, Window window) {
    return window.equals(incident.window())
        ? during(incident)
        : seeing(incident.timeline().dumps(window));
  }

  /** Share of a window in which the application is not stopped, 0 to 1. */
  public static double running(Timeline timeline, Window window) {
    return 1 - PauseTotals.of(timeline, window).shareStopped();
  }

  /**
   * Whether the application was stopped for much of the time before a dump; of the window if the
   * dump has no timestamp, or if pauses are known only from the collector's metrics.
   */
  private static boolean isAfterStops(Timeline timeline, Window window, ThreadSnapshot dump) {
    boolean dated = CollectorMeters.of(timeline).isEmpty();
    Window before =
        dump.at()
            .filter(at -> dated)
            .map(at -> new Window(at.minus(AFTER_A_STOP), at))
            .orElse(window);
    return PauseTotals.of(timeline, before).shareStopped() >= Policy.HARDLY_STOPPED;
  }

  /** Request threads, busy or idle. If none are known, all threads that are busy. */
  private static long present(ThreadSnapshot dump) {
    return dump.showsRequests()
        ? dump.requestThreads().size()
        : dump.threads().stream()
            .filter(thread -> !thread.is(ThreadActivity.IDLE) && !thread.is(ThreadActivity.OTHER))
            .count();
  }

  /**
   * Whether events show most of the waiting threads that dumps show, at the times of the dumps.
   * False if a dump has no timestamp.
   */
  public static boolean areRecordedAtOnce(Incident incident, Window window, Effect effect) {
    Timeline timeline = incident.timeline();
    List<ThreadSnapshot> dumps = of(incident, window);
    if (dumps.stream().anyMatch(dump -> dump.at().isEmpty())) {
      return false;
    }
    List<WaitSeries> series = UserWaits.of(timeline, effect);
    double inDumps = 0;
    double inEvents = 0;
    for (ThreadSnapshot dump : dumps) {
      Instant at = dump.at().orElseThrow();
      int waiting = users(timeline, dump, activity(effect).orElseThrow()).size();
      double before = WaitSeries.threads(series, new Window(at.minus(AROUND), at));
      double after = WaitSeries.threads(series, new Window(at, at.plus(AROUND)));
      inDumps += waiting;
      inEvents += Math.min(waiting, Math.max(before, after));
    }
    return inEvents >= Policy.MAJORITY * inDumps;
  }

  /**
   * The activity that threads of a dump have if their time counts for the effect; empty if dumps do
   * not show it.
   */
  public static Optional<ThreadActivity> activity(Effect effect) {
    return effect
        .waitsFor()
        .map(ThreadActivity::of)
        .filter(activity -> activity != ThreadActivity.OTHER);
  }

  /**
   * What the thread waits for, or otherwise its code location: a sleep has a name only in a rate
   * limiter.
   */
  private static String name(ThreadState thread) {
    return thread.is(ThreadActivity.SLEEPING) && thread.subject().isEmpty()
        ? thread.standing().at()
        : thread.label();
  }

  /**
   * Request threads that wait in rate limiters, on average. {@link #seen} has the same waits under
   * the same names.
   */
  public static double inLimiters(Incident incident) {
    return during(incident).stream()
        .mapToLong(
            dump ->
                users(incident.timeline(), dump, ThreadActivity.SLEEPING).stream()
                    .filter(thread -> !thread.subject().isEmpty())
                    .count())
        .average()
        .orElse(0);
  }

  /**
   * Request threads with that activity; all threads if no request thread is known. Sleeping threads
   * are an exception: other threads sleep between two rounds of their own work, unless they sleep
   * in a rate limiter while most requests wait. A deadlock never ends: where each request of a load
   * test has ended, no thread of it was one.
   */
  private static List<ThreadState> users(
      Timeline timeline, ThreadSnapshot dump, ThreadActivity activity) {
    boolean known = dump.showsRequests();
    return dump.threads().stream()
        .filter(thread -> thread.is(activity))
        .filter(
            thread ->
                thread.requestThread()
                    || !known
                        && (activity != ThreadActivity.SLEEPING
                            || !thread.subject().isEmpty()
                                && LoadTestDelays.mostWaitForLong(timeline))
                        && !isDeadlockedAside(timeline, dump, activity)
                    || activity == ThreadActivity.WAITING_FOR_POOL)
        .sorted(Comparator.comparing(ThreadState::subject))
        .toList();
  }

  /** Whether all that wait for locks are the deadlocked themselves, and every request has ended. */
  private static boolean isDeadlockedAside(
      Timeline timeline, ThreadSnapshot dump, ThreadActivity activity) {
    return activity == ThreadActivity.WAITING_FOR_LOCK
        && dump.deadlocks().found()
        && dump.count(activity) <= dump.deadlocks().threads().size()
        && LoadTestDelays.haveAllEnded(timeline);
  }
}
