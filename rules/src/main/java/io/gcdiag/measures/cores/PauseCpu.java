package io.gcdiag.measures.cores;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.pauses.GcCpu;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Nanos;
import java.util.List;

/**
 * What the CPU times of the pauses say by themselves, where nothing is known of the machine. They
 * are stated in steps of about 10 ms, whose errors go both ways and even out over many pauses.
 *
 * @param user user time of all of them, in seconds
 * @param system kernel time of all of them, in seconds
 * @param real their elapsed time, in seconds
 * @param file where the first was read; empty if there are too few
 */
public record PauseCpu(double user, double system, double real, String file) {

  /** Sums up those of the incident window. */
  public static PauseCpu of(Incident incident) {
    List<GcCpu> times = incident.timeline().gcCpu(incident.window());
    long user = 0;
    long system = 0;
    long real = 0;
    // Each is made anew when it is asked for.
    for (GcCpu cpu : times) {
      user = Nanos.plus(user, Nanos.of(cpu.user()));
      system = Nanos.plus(system, Nanos.of(cpu.system()));
      real = Nanos.plus(real, Nanos.of(cpu.real()));
    }
    String file = times.size() < Policy.FEWEST_COUNTED ? "" : times.get(0).file();
    return new PauseCpu(Nanos.seconds(user), Nanos.seconds(system), Nanos.seconds(real), file);
  }

  /** Whether the pauses that were measured are enough to say anything. */
  private boolean isMeasured() {
    return real >= CollectorTimes.LEAST_SECONDS && !file.isEmpty();
  }

  /** Cores that the GC threads had in pauses, on average. */
  public double cores() {
    return real <= 0 ? 0 : (user + system) / real;
  }

  /** Share of the pauses in which not even one thread ran; 0 if that is in the error. */
  public double starved() {
    return isMeasured() && cores() < CollectorTimes.STARVED ? 1 - cores() : 0;
  }

  /** Share of the pauses' CPU time that the kernel took; 0 if that is less than half. */
  public double kernel() {
    double share = user + system <= 0 ? 0 : system / (user + system);
    return isMeasured() && share > Policy.MAJORITY ? share : 0;
  }

  /** Whether nothing shows who had the cores: neither the machine's load nor the container's. */
  public static boolean isAllThereIs(Incident incident) {
    return incident.timeline().cpu(incident.window()).isEmpty();
  }
}
