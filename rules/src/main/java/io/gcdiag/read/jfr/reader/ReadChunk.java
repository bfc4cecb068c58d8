package io.gcdiag.read.jfr.reader;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A chunk and the result of reading it.
 *
 * @param chunk where it is and when it was recorded
 * @param outcome how much of it was read
 * @param clockRatio duration of its events by ticks, as stated, divided by that of the system
 *     clock; 1 if both agree and nothing was corrected
 */
public record ReadChunk(Chunk chunk, Outcome outcome, double clockRatio) {

  /** A chunk whose clocks agree, or that was not read. */
  public ReadChunk(Chunk chunk, Outcome outcome) {
    this(chunk, outcome, 1);
  }

  /** How much of a chunk was read. */
  public enum Outcome {
    /** All of it, and nothing is missing. */
    WHOLE,
    /** It is truncated or unfinished: all complete events in it. */
    CUT,
    /** Everything before and after damaged parts. */
    HOLED,
    /** Everything before the first damage. */
    BROKEN,
    LOST,
    /** Nothing, because another copy was read before. */
    KNOWN
  }

  /** The values that identify copies of one chunk. */
  private record Identity(Instant start, long size, Duration length) {}

  /** Selects the chunks to read in one pass: of several copies only the first one. */
  public static Predicate<Chunk> unread(Predicate<Chunk> known, Set<Object> ofThisPass) {
    return chunk -> !known.test(chunk) && (!chunk.intact() || ofThisPass.add(identity(chunk)));
  }

  /** A key that is equal only for copies of one chunk; for intact chunks only. */
  public static Object identity(Chunk chunk) {
    return new Identity(chunk.start(), chunk.size(), chunk.length());
  }
}
