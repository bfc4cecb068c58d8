package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.PriorityQueue;

/**
 * Compares the ticks of a chunk's events with the duration that its header states by the system
 * clock. An event cannot begin after the end of its chunk, so if many do, the header's frequency is
 * wrong. Ticks that end early prove nothing: an idle JVM writes few events, and the counter of a
 * suspended machine stops.
 *
 * @param end the tick at which the latest events begin; the start of the chunk if there are too few
 * @param ratio duration by ticks divided by that of the system clock, 1 if they agree; empty if
 *     unknown
 */
record TickSpan(long end, OptionalDouble ratio) {

  /**
   * A thread of the JVM ends a chunk, and then writes the last events: on busy machines up to 0.74
   * s later.
   */
  static final Duration LATE_END = Duration.ofSeconds(2);

  /**
   * A smaller difference of the clocks is not corrected, so that times agree with the JDK's reader.
   */
  private static final double AGREES = 1.01;

  /** Damage can give an event any time; this many do not agree by chance. */
  private static final int LATEST = 8;

  /** No counter is this many times as fast as stated; later ticks are damage. */
  private static final int MOST_RATIO = 4;

  /**
   * Reads the heads of a chunk's events, up to the first damage.
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
