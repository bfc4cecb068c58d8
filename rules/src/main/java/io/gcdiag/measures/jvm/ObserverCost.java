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
 * What observing the incident costs. A thread dump stops the application, and two or three of them,
 * taken because a service is slow, did not make it slow: the time at such a stop is left out of the
 * incident. Not so the time until the last thread has stopped, which is the service's and not of
 * the dump; nor that of a tool that stops the application again and again.
 */
public final class ObserverCost {

  /** Who looks by hand takes a few dumps; this many come from a tool that goes on. */
  private static final int REGULAR = 10;

  private final boolean leftOut;

  private ObserverCost(boolean leftOut) {
    this.leftOut = leftOut;
  }

  /** Looks at all stops of a timeline. */
  public static ObserverCost of(Timeline timeline) {
    List<SafepointStop> looks = timeline.observations();
    double seconds = looks.stream().mapToDouble(stop -> Durations.seconds(stop.at())).sum();
    return new ObserverCost(
        looks(looks) < REGULAR || seconds < Policy.FELT_STOPPED * timeline.span().seconds());
  }

  /**
   * A dump stops the threads for its stacks, for JNI and for deadlocks, and the recorder stops them
   * for its own: there were as many looks as stops for what they were made for most often.
   */
  private static long looks(List<SafepointStop> stops) {
    return stops.stream()
        .collect(Collectors.groupingBy(SafepointStop::operation, Collectors.counting()))
        .values()
        .stream()
        .max(Comparator.naturalOrder())
        .orElse(0L);
  }

  /** Whether the time at this stop is left out. */
  boolean leavesOut(SafepointStop stop) {
    return leftOut && stop.isObservation();
  }

  /**
   * How long such stops held the application up in a window. None on a machine without a free core:
   * how long a dump takes there is the machine's doing.
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

  /**
   * What the application lost at the stop beside the collector's pauses and the observer's time.
   */
  public Duration lost(SafepointStop stop) {
    return leavesOut(stop) ? stop.reaching() : stop.lost();
  }
}
