package io.gcdiag.evidence.machine;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;

/**
 * The machine's CPUs, as the operating system counts them. The JVM may be able to use fewer; a
 * recording's CPU loads are shares of these all the same.
 *
 * @param at when it was read
 * @param count how many
 */
public record HardwareThreads(Instant at, int count) implements Sample {

  /** The machine's CPUs; 0 if they are not known. */
  public static int of(List<HardwareThreads> readings) {
    return readings.stream().mapToInt(HardwareThreads::count).max().orElse(0);
  }

  /**
   * The CPUs that the JVM is confined to, where it may use some of the machine's alone. With a
   * quota of CPU time it runs on any of them.
   *
   * @param usable how many the operating system gives the JVM
   */
  public static OptionalInt confined(
      List<HardwareThreads> readings, List<CpuQuota> quotas, OptionalInt usable) {
    boolean quota = quotas.stream().anyMatch(read -> read.quota().isPresent());
    return usable.isPresent() && usable.getAsInt() < of(readings) && !quota
        ? usable
        : OptionalInt.empty();
  }
}
