package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which of the recorded waits delay requests. */
public final class UserWaits {

  /**
   * JDK types for tasks. The time of waits for them is attributed to the threads and calls that
   * complete the task.
   */
  private static final Set<String> TASKS =
      Set.of(
          "java.util.concurrent.FutureTask",
          "java.util.concurrent.CompletableFuture",
          "java.util.concurrent.ForkJoinTask",
          "java.util.concurrent.ForkJoinPool",
          "java.util.concurrent.CountedCompleter",
          "java.util.concurrent.RecursiveTask",
          "java.util.concurrent.RecursiveAction");

  private UserWaits() {}

  /** The waits that measure an effect; none if no kind of wait does. */
  public static List<WaitSeries> of(Timeline timeline, Effect effect) {
    return effect.waitsFor().map(kind -> of(timeline, kind)).orElse(List.of());
  }

  /**
   * Waits that delay requests: those of request threads, or of all threads if no request thread is
   * known. If request threads exist but were not seen waiting, or if several threads wait in one
   * place, waits of other threads count too, provided that several threads share the work; a single
   * thread is rather a timer or a loader. Calls of such threads also count if request threads were
   * seen to wait for their results. Waits for a connection count on any thread. Calls are left out
   * where a timer or spans have most of them and events do not.
   */
  public static List<WaitSeries> of(Timeline timeline, WaitKind kind) {
    List<WaitSeries> recorded = recorded(timeline, kind);
    return kind == WaitKind.DOWNSTREAM && CallMeters.haveMostCalls(timeline, recorded)
        ? List.of()
        : recorded;
  }

  /** The same, whatever else has these waits. */
  public static List<WaitSeries> recorded(Timeline timeline, WaitKind kind) {
    if (kind == WaitKind.POOL) {
      return timeline.waits(kind);
    }
    if (kind == WaitKind.SLEEP) {
      return sleeps(timeline);
    }
    return kind == WaitKind.OTHER
        ? byThread(timeline, kind).stream()
            .filter(series -> series.site().onRequestThread() && !isForTask(series.site().name()))
            .toList()
        : byThread(timeline, kind);
  }

  /** Threads that wait for a connection or a lock, on average. */
  public static double inQueues(Timeline timeline, Window window) {
    return WaitSeries.threads(of(timeline, WaitKind.POOL), window)
        + WaitSeries.threads(of(timeline, WaitKind.LOCK), window);
  }

  /** Waits that no other kind covers, including waits for tasks. */
  public static List<WaitSeries> withTasks(Timeline timeline) {
    return byThread(timeline, WaitKind.OTHER);
  }

  /**
   * Growth of the request threads that wait for tasks, on average, compared with the baseline; all
   * of them if there is none. These waits are normally attributed to the threads and calls that
   * complete the tasks; if no such thread is seen, they are still a queue.
   */
  public static double moreForTasks(Timeline timeline, Window window, Optional<Window> baseline) {
    return Math.max(
        0,
        forTasks(timeline, window) - baseline.map(usual -> forTasks(timeline, usual)).orElse(0.0));
  }

  private static double forTasks(Timeline timeline, Window window) {
    return withTasks(timeline).stream()
        .filter(series -> series.site().onRequestThread() && isForTask(series.site().name()))
        .mapToDouble(series -> threads(series, window))
        .sum();
  }

  private static List<WaitSeries> byThread(Timeline timeline, WaitKind kind) {
    boolean answered =
        kind == WaitKind.DOWNSTREAM && !timeline.samples(AnsweringGroup.class).isEmpty();
    if (!answered
        && timeline.waits().stream().anyMatch(series -> series.site().onRequestThread())) {
      return WaitSeries.ofRequests(timeline.waits(kind));
    }
    boolean shared =
        timeline.samples(SampledTime.class).stream().anyMatch(SampledTime::onRequestThread)
            || timeline.waits().stream().anyMatch(series -> !series.oneThread())
            || isComputedBySeveral(timeline);
    return timeline.waits(kind).stream()
        .filter(
            series -> !shared || !series.oneThread() || answered && series.site().onRequestThread())
        .toList();
  }

  /**
   * Whether groups of several threads use most of the CPU time, without compilers. They then do the
   * service's work, and the waits of single threads do not matter.
   */
  private static boolean isComputedBySeveral(Timeline timeline) {
    double several = 0;
    double all = 0;
    for (ThreadGroupCpu cpu : timeline.samples(ThreadGroupCpu.class)) {
      if (cpu.kind() != ThreadGroupCpu.Kind.COMPILER) {
        all += cpu.share() * Durations.seconds(cpu.interval());
        several +=
            cpu.threads() >= Policy.FEWEST_QUEUED
                ? cpu.share() * Durations.seconds(cpu.interval())
                : 0;
      }
    }
    return all > 0 && several >= Policy.MAJORITY * all;
  }

  /**
   * Sleeps of request threads; other threads sleep between two rounds of their own work. If the
   * load test shows that most requests wait and no request thread sleeps, sleeps of several threads
   * in a rate limiter count: these do the requests' work.
   */
  private static List<WaitSeries> sleeps(Timeline timeline) {
    List<WaitSeries> all = timeline.waits(WaitKind.SLEEP);
    List<WaitSeries> requests = WaitSeries.ofRequests(all);
    return requests.isEmpty() && LoadTestDelays.mostWaitForLong(timeline)
        ? all.stream().filter(series -> series.site().isNamed() && !series.oneThread()).toList()
        : requests;
  }

  /**
   * A queue at a rate limiter that may be one of requests: several threads share the place, and no
   * thread of the recording is known to serve requests. The limiter with the most threads, if they
   * are a queue.
   */
  public static Optional<WaitSeries> limiterOfUnknown(Timeline timeline, Window window) {
    return areRequestsKnown(timeline) || !of(timeline, WaitKind.SLEEP).isEmpty()
        ? Optional.empty()
        : timeline.waits(WaitKind.SLEEP).stream()
            .filter(series -> series.site().isNamed() && !series.oneThread())
            .filter(series -> threads(series, window) >= Policy.FEWEST_QUEUED)
            .max(Comparator.comparingDouble(series -> threads(series, window)));
  }

  /** Whether any thread of the recording is known to serve requests. */
  private static boolean areRequestsKnown(Timeline timeline) {
    return timeline.waits().stream().anyMatch(series -> series.site().onRequestThread())
        || timeline.samples(SampledTime.class).stream().anyMatch(SampledTime::onRequestThread);
  }

  private static double threads(WaitSeries series, Window window) {
    return series.within(window).waitedSeconds() / window.seconds();
  }

  /** The name of a lock of that class, as those who wait most for one see it. */
  public static String lockLabel(Incident incident, String lock) {
    List<WaitSeries> waits =
        incident.timeline().waits(WaitKind.LOCK).stream()
            .filter(one -> one.site().name().equals(lock))
            .toList();
    return WaitSeries.longest(waits, incident.window())
        .map(most -> most.site().label())
        .orElse(lock);
  }

  /** Whether it is the class of a future, the JDK's or a library's own. */
  public static boolean isFuture(String parkedOn) {
    return parkedOn.contains("Future");
  }

  /**
   * Whether a thread parks on this type while it waits for a task; the time belongs to the thread
   * that runs the task.
   */
  private static boolean isForTask(String parkedOn) {
    return TASKS.stream().anyMatch(parkedOn::startsWith);
  }

  /** Threads that wait in a rate limiter, on average. */
  public static double inLimiters(Timeline timeline, Window window) {
    double seconds =
        of(timeline, WaitKind.SLEEP).stream()
            .filter(series -> series.site().isNamed())
            .mapToDouble(series -> series.within(window).waitedSeconds())
            .sum();
    return seconds / window.seconds();
  }
}
