package io.gcdiag.read.jfr.reader;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A chunk, and what became of it.
 *
 * @param chunk where it is and when it was recorded
 * @param outcome how much of it was read
 * @param clockRatio the time of its events by their ticks, as stated, by that of the system clock;
 *     1 where both agree and nothing was corrected
 */
public record ReadChunk(Chunk chunk, Outcome outcome, double clockRatio) {

  /** One whose clocks agree, or that was not read. */
  public ReadChunk(Chunk chunk, Outcome outcome) {
    this(chunk, outcome, 1);
  }

  /** How much of a chunk was read. */
  public enum Outcome {
    /** All of it, and nothing is missing. */
    WHOLE,
    /** It is cut or unfinished: all whole events that are there. */
    CUT,
    /** What stands before and behind some damage, to its end. */
    HOLED,
    /** What came before some damage. */
    BROKEN,
    /** Nothing. */
    LOST,
    /** Nothing, because it was read before: it is there twice. */
    KNOWN
  }

  /** What two copies of one chunk have in common, and no two chunks. */
  private record Identity(Instant start, long size, Duration length) {}

  /** The chunks of one pass that are to be read: of several copies the first one is. */
  public static Predicate<Chunk> unread(Predicate<Chunk> known, Set<Object> ofThisPass) {
    return chunk -> !known.test(chunk) && (!chunk.intact() || ofThisPass.add(identity(chunk)));
  }

  /** Equal for two copies of one chunk, and for no two chunks; of an intact one only. */
  public static Object identity(Chunk chunk) {
    return new Identity(chunk.start(), chunk.size(), chunk.length());
  }
}
