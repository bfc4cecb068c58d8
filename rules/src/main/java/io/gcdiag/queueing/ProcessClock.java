package io.gcdiag.queueing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Two clocks: that of the wall, and that of the process, which is stopped during stalls. On the
 * process' clock the queue has no stalls at all, and a stall is one single moment of it.
 *
 * <p>All times are nanoseconds since the start.
 */
final class ProcessClock {
  private final long[] starts;
  private final long[] ends;

  /** When each stall happens on the process' clock, strictly ascending. */
  private final long[] moments;

  /** Nanoseconds stalled before stall number i; one longer than the others, with the total last. */
  private final long[] stalledBefore;

  ProcessClock(List<Stall> stalls) {
    List<long[]> merged = merge(stalls);
    int n = merged.size();
    starts = new long[n];
    ends = new long[n];
    moments = new long[n];
    stalledBefore = new long[n + 1];
    for (int i = 0; i < n; i++) {
      starts[i] = merged.get(i)[0];
      ends[i] = merged.get(i)[1];
      moments[i] = starts[i] - stalledBefore[i];
      stalledBefore[i + 1] = stalledBefore[i] + ends[i] - starts[i];
    }
  }

  /** Stalls of several sources may overlap or touch: together they are one. */
  private static List<long[]> merge(List<Stall> stalls) {
    List<Stall> sorted = new ArrayList<>(stalls);
    sorted.sort(Comparator.comparing(Stall::start));
    List<long[]> merged = new ArrayList<>();
    for (Stall stall : sorted) {
      long start = stall.start().toNanos();
      long end = stall.end().toNanos();
      long[] last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && start <= last[1]) {
        last[1] = Math.max(last[1], end);
      } else if (end > start) {
        merged.add(new long[] {start, end});
      }
    }
    return merged;
  }

  /** The wall time at which something arriving at a wall time can act: itself, or a stall's end. */
  long thaw(long wall) {
    int i = lastAtMost(starts, wall);
    return i >= 0 && wall < ends[i] ? ends[i] : wall;
  }

  /** The process time of a wall time that lies in no stall (its end does not). */
  long toProcess(long wall) {
    return wall - stalledBefore[lastAtMost(starts, wall) + 1];
  }

  /**
   * Nanoseconds stalled in between two process times. A stall at the very moment of {@code from} is
   * over by then; one at the very moment of {@code to} comes after it.
   */
  long stalledBetween(long from, long to) {
    if (to <= from || starts.length == 0) {
      return 0;
    }
    return stalledBefore[firstAtLeast(moments, to)] - stalledBefore[lastAtMost(moments, from) + 1];
  }

  private static int lastAtMost(long[] sorted, long value) {
    return firstAtLeast(sorted, value + 1) - 1;
  }

  private static int firstAtLeast(long[] sorted, long value) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
