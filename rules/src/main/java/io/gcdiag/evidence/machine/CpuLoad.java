package io.gcdiag.evidence.machine;

import java.time.Instant;

/**
 * CPU use over the interval that ended at an instant, as shares of all the machine's cores.
 *
 * @param at the end of the interval
 * @param jvmUser the JVM's user time, 0 to 1
 * @param jvmSystem the JVM's system time, 0 to 1
 * @param machineTotal all processes together, 0 to 1
 */
public record CpuLoad(Instant at, double jvmUser, double jvmSystem, double machineTotal) {

  /** The JVM's user and system time together. */
  public double jvm() {
    return jvmUser + jvmSystem;
  }
}
