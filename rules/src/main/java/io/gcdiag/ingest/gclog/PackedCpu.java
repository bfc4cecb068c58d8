package io.gcdiag.ingest.gclog;

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
    long word = 0;
    for (Duration time : new Duration[] {cpu.get().user(), cpu.get().system(), cpu.get().real()}) {
      long steps = time.toNanos() / STEP_NANOS;
      if (steps * STEP_NANOS != time.toNanos() || steps >>> BITS != 0) {
        return false;
      }
      word = word << BITS | steps;
    }
    to[at] = word;
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
