package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Cost of observing the incident. A thread dump stops the application. Two or three dumps that were
 * taken because a service is slow did not make it slow, so their time at the safepoint is not
 * counted in the incident. The time until the last thread has stopped is counted, because it
 * depends on the service. So is the time of a tool that stops the application again and again.
 */
public final class ObserverCost {

  /** By hand one takes a few dumps; this many come from a tool that runs all the time. */
  private static final int REGULAR = 10;

  private final boolean leftOut;

  private ObserverCost(boolean leftOut) {
    this.leftOut = leftOut;
  }

  /** Looks at all stops of a timeline. */
  public static ObserverCost of(Timeline timeline) {
    List<SafepointStop> looks = timeline.stops().observations();
    double seconds = looks.stream().mapToDouble(stop -> Durations.seconds(stop.at())).sum();
    return new ObserverCost(
        looks(looks) < REGULAR || seconds < Policy.FELT_STOPPED * timeline.span().seconds());
  }

  /**
   * A dump stops the threads several times, for stacks, JNI and deadlocks, and the recorder stops
   * them too. The number of dumps is that of the most frequent operation.
   */
  private static long looks(List<SafepointStop> stops) {
    return stops.stream()
        .collect(Collectors.groupingBy(SafepointStop::operation, Collectors.counting()))
        .values()
        .stream()
        .max(Comparator.naturalOrder())
        .orElse(0L);
  }

  boolean leavesOut(SafepointStop stop) {
    return leftOut && stop.isObservation();
  }

  /**
   * Length of the safepoints that are not counted in a window. None if the machine is full: then
   * the dump takes long because of the machine.
   */
  public List<Duration> leftOut(Timeline timeline, Window window) {
    if (MachineLoad.isFull(timeline, window)) {
      return List.of();
    }
    return timeline.safepoints(window).stream()
        .filter(this::leavesOut)
        .map(SafepointStop::at)
        .toList();
  }

  /** Time that the application lost at the safepoint, without GC pauses and observation. */
  public Duration lost(SafepointStop stop) {
    return leavesOut(stop) ? stop.reaching() : stop.lost();
  }
}
