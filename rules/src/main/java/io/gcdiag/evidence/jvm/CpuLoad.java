package io.gcdiag.evidence.jvm;

import java.time.Instant;

/**
 * CPU use over the interval that ended at an instant, as shares of all CPUs that the JVM may use:
 * the machine's, or those of them that a CPU set leaves it.
 *
 * @param at the end of the interval
 * @param jvmUser the JVM's user time, 0 to 1
 * @param jvmSystem the JVM's system time, 0 to 1
 * @param machineTotal all processes together, 0 to 1; at least that where only the use of more CPUs
 *     is known
 * @param most all processes together at most, 0 to 1
 */
public record CpuLoad(
    Instant at, double jvmUser, double jvmSystem, double machineTotal, double most) {

  /** Of all the machine's CPUs. */
  public CpuLoad(Instant at, double jvmUser, double jvmSystem, double machineTotal) {
    this(at, jvmUser, jvmSystem, machineTotal, machineTotal);
  }

  /** The JVM's user and system time together. */
  public double jvm() {
    return jvmUser + jvmSystem;
  }

  /**
   * The same of some of the CPUs, on which all of the JVM's work is done. What other processes use
   * is done there at least where the other CPUs cannot hold it, and at most beside the JVM.
   *
   * @param cpus how many of them
   * @param all how many this is a share of
   */
  public CpuLoad on(int cpus, int all) {
    // Readings are good to a per cent or so: more than its CPUs the JVM did not use.
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
