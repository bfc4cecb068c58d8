package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.PriorityQueue;

/**
 * How far the ticks of the events of a chunk go, beside the time that its header states by the
 * system clock. An event cannot begin after the end of its chunk; so where many do, the header's
 * frequency is wrong. Ticks that end early prove nothing: an idle JVM writes few events, and the
 * counter of a suspended machine stands.
 *
 * @param end the tick that the latest events begin at; the start of the chunk if there are too few
 * @param ratio the ticks' time by the time of the system clock, 1 where they agree; empty if it is
 *     not known
 */
record TickSpan(long end, OptionalDouble ratio) {

  /**
   * A thread of the JVM ends a chunk, and then writes the last events: on busy machines up to 0.74
   * s later.
   */
  static final Duration LATE_END = Duration.ofSeconds(2);

  /** Clocks that differ by less are left alone: times by the JDK's reader stay the same. */
  private static final double AGREES = 1.01;

  /** Damage can date an event anywhere; so many do not agree by chance. */
  private static final int LATEST = 8;

  /** No counter is so many times as fast as stated: what is later is damage. */
  private static final int MOST_RATIO = 4;

  /**
   * Goes over the heads of a chunk's events, up to damage.
   *
   * @param length how long the chunk lasts by the system clock; more than zero
   */
  static TickSpan of(ChunkFile file, Duration length, long startTicks, long ticksPerSecond)
      throws IOException {
    double stated = length.toNanos() / 1e9 * ticksPerSecond;
    PriorityQueue<Long> latest = new PriorityQueue<>();
    byte[] data = new byte[EventWindow.SIZE];
    ChunkBytes bytes = new ChunkBytes(data, file.compressed());
    long base = Chunk.HEADER_SIZE;
    int filled = 0;
    int at = 0;
    while (base + at + SoundEvents.HEAD < file.end()) {
      if (at + SoundEvents.HEAD > filled) {
        base += at;
        at = 0;
        filled = (int) Math.min(data.length, file.end() - base);
        file.read(base, data, 0, filled);
      }
      bytes.at(at);
      int size = bytes.readInt();
      bytes.readLong();
      long since = bytes.readLong() - startTicks;
      if (size <= 0 || size > file.end() - base - at) {
        break;
      }
      boolean credible = since > 0 && since < stated * MOST_RATIO;
      if (credible && (latest.size() < LATEST || since > latest.peek())) {
        latest.add(since);
        if (latest.size() > LATEST) {
          latest.poll();
        }
      }
      if (size > Integer.MAX_VALUE - at) {
        break;
      }
      at += size;
    }
    return latest.size() < LATEST
        ? new TickSpan(startTicks, OptionalDouble.empty())
        : new TickSpan(startTicks + latest.peek(), ratio(latest.peek(), stated, ticksPerSecond));
  }

  private static OptionalDouble ratio(long last, double stated, long ticksPerSecond) {
    double ratio = last / stated;
    if (ratio <= AGREES) {
      return OptionalDouble.of(1);
    }
    boolean late = last - stated <= LATE_END.toNanos() / 1e9 * ticksPerSecond;
    return late ? OptionalDouble.empty() : OptionalDouble.of(ratio);
  }
}
