package io.gcdiag.measures.threads;

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

/** Which of the recorded waits keep users waiting. */
public final class UserWaits {

  /** Of the JDK; what waits for these is handed on to the threads and calls that complete them. */
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

  /** The waits that measure an effect; none if no kind of waits does. */
  public static List<WaitSeries> of(Timeline timeline, Effect effect) {
    return effect.waitsFor().map(kind -> of(timeline, kind)).orElse(List.of());
  }

  /**
   * Waits that keep users waiting: on request threads, or all where none is recognised as one.
   * Where request threads are there and were not seen waiting, or several threads wait in one
   * place, waits of other threads count if several share the work: what one thread does alone is a
   * timer's or a loader's round. Calls of such threads count as well where some were seen to hand
   * requests their answers. Borrowers of connections count on any thread.
   */
  public static List<WaitSeries> of(Timeline timeline, WaitKind kind) {
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

  /** Threads on average that wait for a connection or a lock. */
  public static double inQueues(Timeline timeline, Window window) {
    return WaitSeries.threads(of(timeline, WaitKind.POOL), window)
        + WaitSeries.threads(of(timeline, WaitKind.LOCK), window);
  }

  /** Waits for what no other kind covers, those for tasks among them. */
  public static List<WaitSeries> withTasks(Timeline timeline) {
    return byThread(timeline, WaitKind.OTHER);
  }

  /**
   * Request threads that wait for tasks, on average, more than in the baseline; all of them without
   * one. What waits for these is handed on to the threads and calls that complete them, and where
   * none is seen to, it is a queue all the same.
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
   * Whether a group of several threads uses most of the CPU time of all that are no compiler's: the
   * work is theirs, and what one thread waits for beside them is not.
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
   * Sleeps of request threads; what else sleeps does so between two rounds of its own. Where most
   * requests wait by the load test and no request thread sleeps, those of several threads in a
   * limiter count: they have the requests' work.
   */
  private static List<WaitSeries> sleeps(Timeline timeline) {
    List<WaitSeries> all = timeline.waits(WaitKind.SLEEP);
    List<WaitSeries> requests = WaitSeries.ofRequests(all);
    return requests.isEmpty() && LoadTestDelays.mostWaitForLong(timeline)
        ? all.stream().filter(series -> series.site().isNamed() && !series.oneThread()).toList()
        : requests;
  }

  /**
   * Where threads stand in a queue before a limiter that may be requests: several share the place,
   * and no thread of the recording is known to serve any request. The one with the most of them, if
   * it is a queue.
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

  /** Whether it is what a thread parks on that waits for a task: what runs that has the time. */
  private static boolean isForTask(String parkedOn) {
    return TASKS.stream().anyMatch(parkedOn::startsWith);
  }

  /** Threads on average that wait in a limiter for their turn, which is a queue like any other. */
  public static double inLimiters(Timeline timeline, Window window) {
    double seconds =
        of(timeline, WaitKind.SLEEP).stream()
            .filter(series -> series.site().isNamed())
            .mapToDouble(series -> series.within(window).waitedSeconds())
            .sum();
    return seconds / window.seconds();
  }
}
