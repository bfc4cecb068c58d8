package io.gcdiag.read.jfr.reader;

import java.time.Duration;

/**
 * Which ticks the events of a chunk begin at, but for waits that began before it.
 *
 * @param from the beginning of the chunk
 * @param to its end; where that is not known, the latest that there can be
 */
record EventTimes(long from, long to) {

  /** What a chunk whose length is not stated may last on an idle JVM. */
  private static final Duration LONGEST_CHUNK = Duration.ofDays(30);

  /**
   * Of a chunk that began at a tick.
   *
   * @param lastTicks what its latest events begin at, by their ticks
   */
  static EventTimes of(Chunk chunk, long startTicks, long ticksPerSecond, long lastTicks) {
    long moment = ticks(TickSpan.LATE_END, ticksPerSecond);
    long length = ticks(chunk.lengthIsKnown() ? chunk.length() : LONGEST_CHUNK, ticksPerSecond);
    return new EventTimes(startTicks - moment, Math.max(startTicks + length, lastTicks) + moment);
  }

  private static long ticks(Duration length, long perSecond) {
    return (long) (length.toNanos() / 1e9 * perSecond);
  }

  /** Whether an event began in the time of the chunk. */
  boolean isInTime(long ticks) {
    return ticks >= from && ticks <= to;
  }
}
