package io.gcdiag.measures.cores;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.machine.ContextSwitches;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.util.OptionalDouble;

/** How often the machine's cores went from one thread to another in a window. */
public final class SwitchRate {

  private SwitchRate() {}

  /**
   * Context switches a second, of all processes. A reading is the mean since the one before, ten
   * seconds by default: it counts for the window that most of these lie in.
   */
  public static OptionalDouble of(Timeline timeline, Window window) {
    return timeline.samples(ContextSwitches.class).stream()
        .filter(reading -> liesIn(window, reading))
        .mapToDouble(ContextSwitches::perSecond)
        .average();
  }

  private static boolean liesIn(Window window, ContextSwitches reading) {
    Duration overlap = window.overlap(reading.at().minus(reading.interval()), reading.interval());
    return 2 * overlap.toNanos() > reading.interval().toNanos();
  }
}
