package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** CPUs of the machine or container, and their use. */
public sealed interface CpuSample extends Sample {

  /**
   * Number of CPUs of the machine, as the operating system counts them. The JVM may be limited to
   * fewer; a recording's CPU loads are shares of all of them nevertheless.
   */
  record HardwareThreads(Instant at, int count) implements CpuSample {

    /** Number of CPUs of the machine; 0 if unknown. */
    public static int of(List<HardwareThreads> readings) {
      return readings.stream().mapToInt(HardwareThreads::count).max().orElse(0);
    }

    /**
     * Number of CPUs that the JVM is confined to, if it may use only some of the machine's. A CPU
     * quota does not confine it: it may run on any of them.
     *
     * @param usable number of CPUs that the operating system gives the JVM
     */
    public static OptionalInt confined(
        List<HardwareThreads> readings, List<CpuQuota> quotas, OptionalInt usable) {
      boolean quota = quotas.stream().anyMatch(read -> read.quota().isPresent());
      return usable.isPresent() && usable.getAsInt() < of(readings) && !quota
          ? usable
          : OptionalInt.empty();
    }
  }

  /**
   * The CPU quota of the container that the JVM runs in.
   *
   * @param quota CPU time that its threads may use in each period; empty without a limit
   * @param period the period: {@code cpu.cfs_period_us}, or the second number in {@code cpu.max}
   */
  record CpuQuota(Instant at, Optional<Duration> quota, Duration period, Source source)
      implements CpuSample {}

  /**
   * The container's throttling counters: {@code cpu.stat} of the control group. They count since
   * the container's start, so two readings are needed.
   *
   * @param periods periods in which any thread was runnable ({@code nr_periods}); 0 without a quota
   * @param throttled those in which the quota was used up ({@code nr_throttled})
   * @param throttledTime time that threads were stopped for it, summed over the cores ({@code
   *     throttled_time}, {@code throttled_usec})
   */
  record ThrottleCount(
      Instant at, long periods, long throttled, Duration throttledTime, Source source)
      implements CpuSample {}

  /**
   * A CPU profile whose samples have no time.
   *
   * @param at of no meaning
   * @param place the service's own code with most of the samples
   */
  record UndatedProfile(Instant at, CodePlace place, Source source) implements CpuSample {}

  /**
   * Context switches of the machine.
   *
   * @param interval time since the previous reading; the value is the mean over it
   * @param perSecond switches per second, of all processes
   */
  record ContextSwitches(Instant at, Duration interval, double perSecond) implements CpuSample {}
}
