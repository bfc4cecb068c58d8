package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Nanos;
import java.util.List;

/**
 * What the collector's pauses of one window took. Their times are stated in steps of about 10 ms,
 * whose errors go both ways and even out over many pauses.
 *
 * @param pauses how many tell their times
 * @param userSeconds CPU time in the collector's own code, over all threads
 * @param cpuSeconds the same with what the operating system used for it
 * @param realSeconds elapsed time
 * @param file where the first was read; empty if there is none
 */
public record CollectorTimes(
    int pauses, double userSeconds, double cpuSeconds, double realSeconds, String file) {

  /** 25 steps: the error of as many pauses of one step each is below a tenth. */
  static final double LEAST_SECONDS = 0.25;

  /**
   * A collector's thread alone uses a whole core. With less than this of one, on average over all
   * threads, they were kept from running.
   */
  static final double STARVED = 0.6;

  /** Sums up the times of the pauses that end in the window. */
  public static CollectorTimes of(Timeline timeline, Window window) {
    List<GcCpu> times = timeline.gcCpu(window);
    long user = 0;
    long system = 0;
    long real = 0;
    // Each is made anew when it is asked for.
    for (GcCpu cpu : times) {
      user = Nanos.plus(user, Nanos.of(cpu.user()));
      system = Nanos.plus(system, Nanos.of(cpu.system()));
      real = Nanos.plus(real, Nanos.of(cpu.real()));
    }
    return new CollectorTimes(
        times.size(),
        Nanos.seconds(user),
        Nanos.seconds(Nanos.plus(user, system)),
        Nanos.seconds(real),
        times.isEmpty() ? "" : times.get(0).file());
  }

  /** Whether nothing shows who had the cores: neither the machine's load nor the container's. */
  public static boolean areAllThereIs(Incident incident) {
    return incident.timeline().cpu(incident.window()).isEmpty();
  }

  /** Whether the pauses that were measured are enough to say anything. */
  private boolean areEnough() {
    return pauses >= Policy.FEWEST_COUNTED && realSeconds >= LEAST_SECONDS;
  }

  /** Cores that the GC threads had in pauses, on average. */
  public double cores() {
    return realSeconds <= 0 ? 0 : cpuSeconds / realSeconds;
  }

  /** Share of the pauses in which not even one thread ran; 0 if that is in the error. */
  public double starved() {
    return areEnough() && cores() < STARVED ? 1 - cores() : 0;
  }

  /** Share of the pauses' CPU time that the kernel took; 0 if that is less than half. */
  public double kernel() {
    double share = cpuSeconds <= 0 ? 0 : 1 - userSeconds / cpuSeconds;
    return areEnough() && share > Policy.MAJORITY ? share : 0;
  }
}
