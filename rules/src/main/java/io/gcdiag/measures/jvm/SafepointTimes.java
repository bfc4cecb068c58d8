package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Time that the application lost at non-GC safepoints.
 *
 * @param stops safepoints in the window
 * @param lostSeconds total time lost
 * @param stallSeconds part of it at non-GC safepoints and at long ones
 * @param collections safepoints of collections or parts of them
 * @param collectionStallSeconds part of the stalls' time at these
 * @param toolSeconds part of it at safepoints requested by tools: heap dumps, histograms, stacks
 * @param observedSeconds time at safepoints for thread dumps and the recorder, which is not counted
 * @param emptyStops safepoints without an operation
 * @param emptySeconds time at these after the last thread had stopped
 * @param emptyReachingSeconds time until the last thread had stopped for these
 * @param share lost time as a share of the window
 * @param longest the safepoint with the largest cost
 */
public record SafepointTimes(
    int stops,
    double lostSeconds,
    double stallSeconds,
    int collections,
    double collectionStallSeconds,
    double toolSeconds,
    double observedSeconds,
    int emptyStops,
    double emptySeconds,
    double emptyReachingSeconds,
    double share,
    Optional<SafepointStop> longest) {

  /**
   * A running thread polls for a safepoint within a millisecond, and one without a CPU gets one
   * within a few slices of the scheduler. Anything longer is a loop without a safepoint poll.
   */
  public static final Duration LONG = Duration.ofMillis(50);

  /**
   * A slice of Linux's scheduler (CFS: {@code sched_min_granularity_ns}, 0.75 ms, times 1 + log2 of
   * the cores, and more with few threads). Safepoints without an operation take microseconds; if
   * one takes this long, a JVM thread lost its CPU.
   */
  private static final double SLICE_SECONDS = 0.003;

  public static SafepointTimes of(Timeline timeline, Window window) {
    ObserverCost observation = ObserverCost.of(timeline);
    List<SafepointStop> stops = timeline.safepoints(window);
    ToDoubleFunction<SafepointStop> lost = stop -> Durations.seconds(observation.lost(stop));
    ToDoubleFunction<SafepointStop> at = stop -> Durations.seconds(stop.at());
    Predicate<SafepointStop> tool =
        stop ->
            !stop.collection()
                && VmOperations.isOfTool(stop.operation())
                && !observation.leavesOut(stop);
    Predicate<SafepointStop> empty = stop -> VmOperations.isEmpty(stop.operation());
    // Many short non-GC safepoints stop the application as well; those without an operation come
    // once a second and are none, unless they empty a buffer that is full.
    Predicate<SafepointStop> own =
        stop -> !empty.test(stop) || VmOperations.emptiesInlineCaches(stop.operation());
    Predicate<SafepointStop> stall =
        stop -> observation.lost(stop).compareTo(LONG) >= 0 || !stop.collection() && own.test(stop);
    double all = sum(stops, stop -> true, lost);
    return new SafepointTimes(
        stops.size(),
        all,
        sum(stops, stall, lost),
        (int) stops.stream().filter(SafepointStop::collection).count(),
        sum(stops, stall.and(SafepointStop::collection), lost),
        sum(stops, tool, at),
        sum(stops, observation::leavesOut, at),
        (int) stops.stream().filter(empty).count(),
        sum(stops, empty, at),
        sum(stops, empty, stop -> Durations.seconds(stop.reaching())),
        all / window.seconds(),
        stops.stream().max(Comparator.comparing(observation::lost)));
  }

  private static double sum(
      List<SafepointStop> stops,
      Predicate<SafepointStop> which,
      ToDoubleFunction<SafepointStop> time) {
    return stops.stream().filter(which).mapToDouble(time).sum();
  }

  /**
   * Whether safepoints without an operation show the state of the machine: there are enough of
   * them, and they are part of the lost time.
   */
  public boolean tellsOfMachine() {
    return emptyStops >= Policy.RECURRING
        && emptySeconds + emptyReachingSeconds >= Policy.NEGLIGIBLE * lostSeconds;
  }

  /**
   * Whether the JVM's own threads waited for CPU: safepoints without an operation went on after the
   * last thread had stopped. A loop without a safepoint poll makes the time before that long, not
   * the time after.
   */
  public boolean starved() {
    return isLate() && emptySeconds >= Policy.SUBSTANTIAL * (emptySeconds + emptyReachingSeconds);
  }

  /**
   * Whether the JVM's own threads were late after the last thread had stopped, however long that
   * took: beside full cores it is the machine then.
   */
  public boolean isLate() {
    return tellsOfMachine() && emptySeconds >= emptyStops * SLICE_SECONDS;
  }
}
