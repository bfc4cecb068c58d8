package io.gcdiag.measures.cores;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.pauses.GcCpu;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;

/**
 * What the collector's pauses of one window took.
 *
 * @param pauses how many tell their times
 * @param userSeconds CPU time in the collector's own code, over all threads
 * @param cpuSeconds the same with what the operating system used for it
 * @param realSeconds elapsed time; the JVM gives both in steps of about 10 ms
 */
public record CollectorTimes(
    int pauses, double userSeconds, double cpuSeconds, double realSeconds) {

  /** 25 steps: the error of as many pauses of one step each is below a tenth. */
  static final double LEAST_SECONDS = 0.25;

  /**
   * A collector's thread alone uses a whole core. With less than this of one, on average over all
   * threads, they were kept from running.
   */
  static final double STARVED = 0.6;

  /** Whether the GC threads were kept from running. */
  public boolean starved() {
    return pauses >= Policy.FEWEST_COUNTED
        && realSeconds >= LEAST_SECONDS
        && cpuSeconds < STARVED * realSeconds;
  }

  /** Sums up the times of the pauses that end in the window. */
  public static CollectorTimes of(Timeline timeline, Window window) {
    int pauses = 0;
    double user = 0;
    double system = 0;
    double real = 0;
    for (GcCpu time : timeline.gcCpu(window)) {
      pauses++;
      user += Durations.seconds(time.user());
      system += Durations.seconds(time.system());
      real += Durations.seconds(time.real());
    }
    return new CollectorTimes(pauses, user, user + system, real);
  }
}
