package io.gcdiag.read.jfr.reader;

import java.time.Duration;

/**
 * The ticks at which events of a chunk may begin, except for waits that began before it.
 *
 * @param from the beginning of the chunk
 * @param to its end; if unknown, the latest possible one
 */
record EventTimes(long from, long to) {

  /** Longest duration of a chunk whose length is not stated, on an idle JVM. */
  private static final Duration LONGEST_CHUNK = Duration.ofDays(30);

  /**
   * For a chunk that began at a tick.
   *
   * @param lastTicks start of its latest events, by their ticks
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
