package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What the machine or container gives of its CPUs, and who takes it. */
public sealed interface CpuSample extends Sample {

  /**
   * The machine's CPUs, as the operating system counts them. The JVM may be able to use fewer; a
   * recording's CPU loads are shares of these all the same.
   *
   * @param count how many
   */
  record HardwareThreads(Instant at, int count) implements CpuSample {

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
   * the container started; two readings and their difference say something.
   *
   * @param periods periods in which any thread was runnable ({@code nr_periods}); 0 without a quota
   * @param throttled those in which the quota was used up ({@code nr_throttled})
   * @param throttledTime for how long threads were kept from running, summed over the cores ({@code
   *     throttled_time}, {@code throttled_usec})
   */
  record ThrottleCount(
      Instant at, long periods, long throttled, Duration throttledTime, Source source)
      implements CpuSample {}

  /**
   * How often the machine's cores went from one thread to another.
   *
   * @param interval how long before that the reading before was: it is the mean of that time
   * @param perSecond switches a second, all processes together
   */
  record ContextSwitches(Instant at, Duration interval, double perSecond) implements CpuSample {}

  /**
   * Which other programs ran on the machine at an instant. Inside a container these are the
   * container's own. What each of them used of the CPU is not told.
   *
   * @param at when the list was made
   * @param programs the programs other than this JVM, those of the highest process numbers first:
   *     these were started last as long as the numbers have not begun anew
   */
  record ProcessList(Instant at, List<Program> programs, Source source) implements CpuSample {

    /**
     * Processes of one program.
     *
     * @param name the program's file without folders and arguments
     * @param processes how many of them ran, at least 1
     */
    public record Program(String name, int processes) {}

    /** Keeps the order. */
    public ProcessList {
      programs = List.copyOf(programs);
    }
  }
}
