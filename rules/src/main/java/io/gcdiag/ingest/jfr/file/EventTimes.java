package io.gcdiag.ingest.jfr.file;

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

  /** A header is written a moment before or after the events beside it. */
  private static final Duration MOMENT = Duration.ofMillis(100);

  /** Of a chunk that began at a tick. */
  static EventTimes of(Chunk chunk, long startTicks, long ticksPerSecond) {
    boolean lengthKnown = chunk.intact() && !chunk.length().isZero();
    Duration length = lengthKnown ? chunk.length() : LONGEST_CHUNK;
    return new EventTimes(
        startTicks - ticks(MOMENT, ticksPerSecond),
        startTicks + ticks(length.plus(MOMENT), ticksPerSecond));
  }

  private static long ticks(Duration length, long perSecond) {
    return (long) (length.toNanos() / 1e9 * perSecond);
  }

  /** Whether an event began in the time of the chunk. */
  boolean isInTime(long ticks) {
    return ticks >= from && ticks <= to;
  }
}
