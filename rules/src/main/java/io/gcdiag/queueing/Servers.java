package io.gcdiag.queueing;

import java.util.Arrays;
import java.util.Optional;

/** The servers of a station, by when each that is taken becomes free: a heap of plain numbers. */
final class Servers {
  private static final int FIRST_TAKEN = 16;

  private final int count;
  private int taken;

  /** A binary heap: the children of place i are at 2 i + 1 and 2 i + 2, and not before it. */
  private long[] freeAt;

  private Servers(int count) {
    this.count = count;
    this.freeAt = new long[Math.min(count, FIRST_TAKEN)];
  }

  /** Absent where there are enough for all: then no request waits for one. */
  static Optional<Servers> of(RequestModel model) {
    return model.servers().isEmpty()
        ? Optional.empty()
        : Optional.of(new Servers(model.servers().getAsInt()));
  }

  /**
   * When an arrival at a time has a server: then, or when the first becomes free. Times of coming
   * ascend.
   */
  long freeFrom(long now) {
    while (taken > 0 && freeAt[0] <= now) {
      free();
    }
    if (taken < count) {
      return now;
    }
    long first = freeAt[0];
    free();
    return first;
  }

  /** Takes the server that {@link #freeFrom} found. */
  void takeUntil(long time) {
    if (taken == freeAt.length) {
      freeAt = Arrays.copyOf(freeAt, (int) Math.min(count, 2L * taken));
    }
    int at = taken++;
    while (at > 0 && freeAt[(at - 1) / 2] > time) {
      freeAt[at] = freeAt[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    freeAt[at] = time;
  }

  /** Frees the one that becomes free first. */
  private void free() {
    long last = freeAt[--taken];
    int at = 0;
    int child = 1;
    while (child < taken) {
      if (child + 1 < taken && freeAt[child + 1] < freeAt[child]) {
        child++;
      }
      if (freeAt[child] >= last) {
        break;
      }
      freeAt[at] = freeAt[child];
      at = child;
      child = 2 * at + 1;
    }
    freeAt[at] = last;
  }
}
