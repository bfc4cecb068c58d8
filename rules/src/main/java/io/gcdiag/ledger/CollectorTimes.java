package io.gcdiag.ledger;

import io.gcdiag.evidence.GcCpu;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.units.Durations;

/**
 * What the collector's pauses of one window took.
 *
 * @param pauses how many tell their times
 * @param cpuSeconds CPU time, user and system, over all threads
 * @param realSeconds elapsed time; the JVM gives both in steps of about 10 ms
 */
public record CollectorTimes(int pauses, double cpuSeconds, double realSeconds) {

  /** Sums up the times of the pauses that end in the window. */
  public static CollectorTimes of(Timeline timeline, Window window) {
    return timeline.derived(CollectorTimes.class, window, () -> summed(timeline, window));
  }

  private static CollectorTimes summed(Timeline timeline, Window window) {
    int pauses = 0;
    double cpu = 0;
    double real = 0;
    for (GcCpu time : timeline.gcCpu(window)) {
      pauses++;
      cpu += Durations.seconds(time.user()) + Durations.seconds(time.system());
      real += Durations.seconds(time.real());
    }
    return new CollectorTimes(pauses, cpu, real);
  }
}
