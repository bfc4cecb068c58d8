package io.gcdiag.ledger;

import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the application lost at safepoints beside the collector's pauses.
 *
 * @param stops safepoints in the window
 * @param lostSeconds time lost, all together
 * @param stallSeconds of this, in stops that cost much each
 * @param share of the window
 * @param longest the one that cost most
 */
public record SafepointTimes(
    int stops,
    double lostSeconds,
    double stallSeconds,
    double share,
    Optional<SafepointStop> longest) {

  /**
   * A thread that runs looks for a safepoint within a millisecond, and one without a core gets one
   * within some slices of the scheduler. What takes longer is a loop that does not look.
   */
  private static final Duration LONG = Duration.ofMillis(50);

  /** Measures a window. */
  public static SafepointTimes of(Timeline timeline, Window window) {
    List<SafepointStop> stops = timeline.safepoints(window);
    double lost = stops.stream().mapToDouble(stop -> Durations.seconds(stop.lost())).sum();
    return new SafepointTimes(
        stops.size(),
        lost,
        stops.stream()
            .filter(SafepointTimes::isStall)
            .mapToDouble(stop -> Durations.seconds(stop.lost()))
            .sum(),
        lost / window.seconds(),
        stops.stream().max(Comparator.comparing(SafepointStop::lost)));
  }

  private static boolean isStall(SafepointStop stop) {
    return stop.lost().compareTo(LONG) >= 0;
  }
}
