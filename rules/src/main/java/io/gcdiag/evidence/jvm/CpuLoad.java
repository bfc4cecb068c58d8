package io.gcdiag.evidence.jvm;

import java.time.Instant;

/**
 * CPU use over an interval, as shares of all CPUs that the JVM may use: the machine's, or those of
 * its CPU set.
 *
 * @param at the end of the interval
 * @param jvmUser the JVM's user time, 0 to 1
 * @param jvmSystem the JVM's system time, 0 to 1
 * @param machineTotal all processes together, 0 to 1; a lower bound if only the use of more CPUs is
 *     known
 * @param most upper bound of all processes together, 0 to 1
 */
public record CpuLoad(
    Instant at, double jvmUser, double jvmSystem, double machineTotal, double most) {

  /** A share of all the machine's CPUs. */
  public CpuLoad(Instant at, double jvmUser, double jvmSystem, double machineTotal) {
    this(at, jvmUser, jvmSystem, machineTotal, machineTotal);
  }

  /** The JVM's user and system time together. */
  public double jvm() {
    return jvmUser + jvmSystem;
  }

  /**
   * Converts to a share of the JVM's own CPUs, on which all of the JVM's work is done. Other
   * processes use at least what the other CPUs cannot hold, and at most everything beside the JVM.
   *
   * @param cpus number of the JVM's CPUs
   * @param all number of CPUs that this is a share of
   */
  public CpuLoad on(int cpus, int all) {
    // Readings are accurate to about a percent, and the JVM cannot use more than its CPUs.
    double own = Math.min(1, jvm() * all / cpus);
    double scale = jvm() > 0 ? own / jvm() : 1;
    double others = Math.max(0, machineTotal - jvm()) * all;
    return new CpuLoad(
        at,
        jvmUser * scale,
        jvmSystem * scale,
        Math.min(1, own + Math.max(0, others - (all - cpus)) / cpus),
        Math.min(1, own + others / cpus));
  }
}
