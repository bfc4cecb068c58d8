package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;

/**
 * When events of the chunks of a recording can have ended. A flipped bit can date an event
 * centuries away, and one such event would stretch the recording over them.
 */
final class PlausibleTime {

  /** What a chunk whose length is not stated may last on an idle JVM. */
  private static final Duration LONGEST_CHUNK = Duration.ofDays(30);

  /** Chunk headers and events are dated by two clocks of the JVM. */
  private static final Duration CLOCK_ROOM = Duration.ofMinutes(1);

  /** Ticks that go beyond the stated length by up to a hundredth of it are not corrected. */
  private static final int DRIFT = 100;

  private Instant from = Instant.MAX;
  private Instant to = Instant.MIN;

  /** Events of this chunk come as well. */
  void add(Chunk chunk) {
    Instant end =
        chunk.lengthIsKnown()
            ? chunk.start().plus(chunk.length()).plus(chunk.length().dividedBy(DRIFT))
            : chunk.start().plus(LONGEST_CHUNK);
    from = chunk.start().isBefore(from) ? chunk.start() : from;
    to = end.isAfter(to) ? end : to;
  }

  /** From the first chunk's beginning to the last one's end. */
  Window window() {
    return new Window(from.minus(CLOCK_ROOM), to.plus(CLOCK_ROOM));
  }
}
