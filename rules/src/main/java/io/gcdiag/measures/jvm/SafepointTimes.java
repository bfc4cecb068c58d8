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
 * What the application lost at safepoints beside the collector's pauses.
 *
 * @param stops safepoints in the window
 * @param lostSeconds time lost, all together
 * @param stallSeconds of this, at stops for no collection, and in those that cost much each
 * @param collections stops for collections or parts of them
 * @param collectionStallSeconds of the stalls' time, at these
 * @param toolSeconds of this, at stops that tools asked for: heap dumps, histograms, stacks
 * @param observedSeconds time at stops for thread dumps and the recorder, which is left out
 * @param emptyStops stops at which there was nothing to do
 * @param emptySeconds time at them, after the last thread had stopped
 * @param emptyReachingSeconds time until the last thread had stopped for them
 * @param share lost time as a share of the window
 * @param longest the one that cost most
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
   * A thread that runs looks for a safepoint within a millisecond, and one without a core gets one
   * within some slices of the scheduler. What takes longer is a loop that does not look.
   */
  public static final Duration LONG = Duration.ofMillis(50);

  /**
   * A slice of Linux's scheduler (CFS: {@code sched_min_granularity_ns}, 0.75 ms, times 1 + log2 of
   * the cores, and more with few threads). Stops with nothing to do take microseconds; one that
   * takes this long is a JVM thread that lost its core.
   */
  private static final double SLICE_SECONDS = 0.003;

  /** Measures a window. */
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
    // Many short ones stop the application as well, and no collection needs them.
    Predicate<SafepointStop> stall =
        stop ->
            observation.lost(stop).compareTo(LONG) >= 0 || !stop.collection() && !empty.test(stop);
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
   * Whether stops at which nothing is done say how the machine was: enough of them, and part of the
   * lost time.
   */
  public boolean tellsOfMachine() {
    return emptyStops >= Policy.RECURRING
        && emptySeconds + emptyReachingSeconds >= Policy.NEGLIGIBLE * lostSeconds;
  }

  /**
   * Whether the JVM's own threads waited for CPU meanwhile: stops with nothing to do went on after
   * the last thread had stopped. A loop that does not look for a safepoint makes the time until
   * then long, and not the time after.
   */
  public boolean starved() {
    return tellsOfMachine()
        && emptySeconds >= emptyStops * SLICE_SECONDS
        && emptySeconds >= Policy.SUBSTANTIAL * (emptySeconds + emptyReachingSeconds);
  }
}
