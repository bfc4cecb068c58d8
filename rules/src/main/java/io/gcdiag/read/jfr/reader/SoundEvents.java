package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Finds the next event after damage. The format has no marks between events, but each begins with
 * its size and its type, so that one leads to the next.
 */
final class SoundEvents {

  /**
   * Number of consecutive heads that prove an event. Random bytes look like the head of an event in
   * about one of twenty cases: few sizes are impossible, but most types are. A chain of this length
   * is no coincidence if the first head and another one have a time within the chunk. The time is
   * needed because a field that contains the common length of events also leads from each event to
   * the next, damaged data may lead to an intact event, and letters of a text may look like sizes
   * and types.
   */
  private static final int CHAIN = 8;

  private static final int FEWEST_IN_TIME = 2;

  /** A size, a type and a time: numbers of up to nine bytes. */
  static final int HEAD = ChunkFile.HEAD + 9;

  /** At the end of the chunk fewer are enough, because they end exactly there. */
  private static final int CHAIN_TO_THE_END = 2;

  /** Limit of reads elsewhere, so that a malicious chunk cannot take hours. */
  private static final int MOST_LOOKS_ELSEWHERE = 100_000;

  private final ChunkFile file;
  private final Optional<LongPredicate> declared;
  private final LongPredicate inTime;
  private final boolean ended;
  private final Set<Long> seen = new HashSet<>();
  private final byte[] window = new byte[EventWindow.SIZE];
  private final byte[] elsewhere = new byte[HEAD];
  private long base;
  private int filled;
  private int looksLeft = MOST_LOOKS_ELSEWHERE;

  /** Whether the event examined last has a time within the chunk. */
  private boolean dated;

  /**
   * For one chunk.
   *
   * @param declared tests whether a number is that of an event type; if empty, the types seen
   *     before the damage are used
   * @param inTime tests whether ticks are within the chunk's time
   * @param ended whether the chunk ends with an event
   */
  SoundEvents(
      ChunkFile file, Optional<LongPredicate> declared, LongPredicate inTime, boolean ended) {
    this.file = file;
    this.declared = declared;
    this.inTime = inTime;
    this.ended = ended;
  }

  /** The next event after a position without one; empty if there is none. */
  OptionalLong after(long place) throws IOException {
    for (long from = place + 1; from < file.end(); from += filled) {
      base = from;
      filled = (int) Math.min(window.length, file.end() - from);
      file.read(from, window, 0, filled);
      for (int i = 0; i < filled && looksLeft > 0; i++) {
        // A compressed number that begins with a zero byte is zero, which is no size.
        if ((window[i] != 0 || !file.compressed()) && isRow(base + i)) {
          return OptionalLong.of(base + i);
        }
      }
    }
    return OptionalLong.empty();
  }

  /** Records an event type seen before any damage. */
  void see(long type) {
    seen.add(type);
  }

  boolean canDeclare(long type) {
    return declared.isEmpty() || declared.get().test(type);
  }

  private boolean isType(long number) {
    return declared.isPresent() ? declared.get().test(number) : seen.contains(number);
  }

  /** Whether ticks are of the time of the chunk. */
  boolean isInTime(long ticks) {
    return inTime.test(ticks);
  }

  /** Whether events follow one another from a position on, or the chunk ends there. */
  boolean leadsOn(long place) throws IOException {
    base = place;
    filled = 0;
    return place == file.end() || isRow(place);
  }

  private boolean isRow(long first) throws IOException {
    long place = first;
    int inTheTime = 0;
    for (int events = 0; events < CHAIN; events++) {
      if (place == file.end()) {
        return ended && events >= CHAIN_TO_THE_END && inTheTime >= FEWEST_IN_TIME;
      }
      long size = sizeAt(place);
      // A wait may have begun long before the chunk, so not every later event has a time within it.
      if (size <= 0 || size > file.end() - place || events == 0 && !dated) {
        return false;
      }
      inTheTime += dated ? 1 : 0;
      place += size;
    }
    return inTheTime >= FEWEST_IN_TIME;
  }

  /** The size of the event at a position; 0 if there is none. */
  private long sizeAt(long place) throws IOException {
    int head = (int) Math.min(HEAD, file.end() - place);
    ChunkBytes bytes;
    int at = 0;
    if (place + head <= base + filled) {
      at = (int) (place - base);
      bytes = new ChunkBytes(window, file.compressed());
    } else {
      if (--looksLeft < 0) {
        return 0;
      }
      file.read(place, elsewhere, 0, head);
      bytes = new ChunkBytes(elsewhere, file.compressed());
    }
    bytes.at(at);
    try {
      int size = bytes.readInt();
      boolean event = isType(bytes.readLong());
      int headLength = bytes.at() - at;
      if (!event || headLength > head || size <= headLength) {
        return 0;
      }
      dated = inTime.test(bytes.readLong());
      return size;
    } catch (IndexOutOfBoundsException e) {
      // The chunk's last bytes are too short for a head.
      return 0;
    }
  }
}
