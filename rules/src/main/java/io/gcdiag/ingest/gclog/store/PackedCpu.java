package io.gcdiag.ingest.gclog.store;

import java.time.Duration;
import java.util.Optional;

/** How the CPU times of a pause, which are printed in steps of 10 ms, fill a word. */
final class PackedCpu {

  /** The word of a pause without. */
  static final long NONE = -1;

  private static final long STEP_NANOS = 10_000_000;

  /** Three times of so many bits fill a word. */
  private static final int BITS = 21;

  private PackedCpu() {}

  /** Writes the times, if there are any; false if they do not fit. */
  static boolean pack(Optional<CpuTimes> cpu, long[] to, int at) {
    to[at] = NONE;
    if (cpu.isEmpty()) {
      return true;
    }
    CpuTimes times = cpu.get();
    return pack(times.user().toNanos(), times.system().toNanos(), times.real().toNanos(), to, at);
  }

  /** The same of times in nanoseconds. */
  static boolean pack(long user, long system, long real, long[] to, int at) {
    long userSteps = user / STEP_NANOS;
    long systemSteps = system / STEP_NANOS;
    long realSteps = real / STEP_NANOS;
    boolean whole =
        userSteps * STEP_NANOS == user
            && systemSteps * STEP_NANOS == system
            && realSteps * STEP_NANOS == real;
    if (!whole || (userSteps | systemSteps | realSteps) >>> BITS != 0) {
      return false;
    }
    to[at] = (userSteps << BITS | systemSteps) << BITS | realSteps;
    return true;
  }

  /** The times of a word. */
  static Optional<CpuTimes> unpack(long word) {
    return word == NONE
        ? Optional.empty()
        : Optional.of(new CpuTimes(time(word >>> 2 * BITS), time(word >>> BITS), time(word)));
  }

  private static Duration time(long steps) {
    return Duration.ofNanos((steps & (1L << BITS) - 1) * STEP_NANOS);
  }
}
