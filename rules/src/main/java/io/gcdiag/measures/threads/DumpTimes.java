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
 * Thread dumps as samples of stacks: where a thread stands in a dump is where it spends its time.
 * They show waits that no event records: those of virtual threads, those that had not ended when
 * the recording did, and all of them where there is no recording.
 */
public final class DumpTimes {

  /** Dumps are dated by the second, and take a moment themselves. */
  static final Duration AROUND = Duration.ofSeconds(1);

  /**
   * What stops leave behind is over within so much time after them, or has another reason: a user
   * who waits longer than this for an answer has lost his train of thought (J. Nielsen, Usability
   * Engineering, 1993, section 5.5), and callers give up.
   */
  private static final Duration AFTER_A_STOP = Duration.ofSeconds(10);

  private DumpTimes() {}

  /**
   * Dumps of the incident: those taken in its window. Without such, if the window is everything,
   * those that do not say when they were taken, and all if nothing does.
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

  /** Whether something is met in two dumps, and in half of all or more: one may meet a moment. */
  public static boolean areOften(long found, List<ThreadSnapshot> dumps) {
    return found >= Policy.FEWEST_DUMPS && 2 * found >= dumps.size();
  }

  /**
   * Those that see the work: where virtual threads serve requests, dumps that leave these out see
   * none of it. Thread.print and recordings do.
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
    // A dump is a stop itself, and none is taken during another.
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
    // Who has waited for seconds by the time of a dump was not met in a moment by chance.
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

  /** Share of a window in which threads are where dumps find them: not stopped, 0 to 1. */
  public static double running(Timeline timeline, Window window) {
    return 1 - PauseTotals.of(timeline, window).shareStopped();
  }

  /**
   * Whether much of the time before a dump was stopped; of the window, if the dump has no date or
   * the pauses have none, as by the collector's meters.
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

  /** Request threads, at work or not; those at work where none is known to. */
  private static long present(ThreadSnapshot dump) {
    return dump.showsRequests()
        ? dump.requestThreads().size()
        : dump.threads().stream()
            .filter(thread -> !thread.is(ThreadActivity.IDLE) && !thread.is(ThreadActivity.OTHER))
            .count();
  }

  /**
   * Whether the events show most of the threads waiting that the dumps do, around the moments of
   * these; not if one of them says no moment.
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

  /** What threads in a dump are doing that are counted for the effect, if they show. */
  public static Optional<ThreadActivity> activity(Effect effect) {
    return effect
        .waitsFor()
        .map(ThreadActivity::of)
        .filter(activity -> activity != ThreadActivity.OTHER);
  }

  /** What it waits for, or else where: sleeping has no name but a limiter's. */
  private static String name(ThreadState thread) {
    return thread.is(ThreadActivity.SLEEPING) && thread.subject().isEmpty()
        ? thread.standing().at()
        : thread.subject();
  }

  /**
   * Request threads in limiters on average: waiting for nothing but their turn. They are as many as
   * {@link #seen} has by those names.
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
   * Request threads at that; all threads where none is known to serve requests, but for sleeping:
   * what else sleeps does so between two rounds of its own, unless it takes its turn in a limiter
   * while most requests wait.
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
                        && (activity != ThreadActivity.SLEEPING || isInLimiter(timeline, thread))
                    || activity == ThreadActivity.WAITING_FOR_POOL)
        .sorted(Comparator.comparing(ThreadState::subject))
        .toList();
  }

  private static boolean isInLimiter(Timeline timeline, ThreadState thread) {
    return thread.is(ThreadActivity.SLEEPING)
        && !thread.subject().isEmpty()
        && LoadTestDelays.mostWaitForLong(timeline);
  }
}
