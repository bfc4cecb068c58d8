package io.gcdiag.ingest.jfr.file;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * Finds where the events of a chunk go on behind damage. The format has no marks between events;
 * but each begins with its size and its type, so that one leads to the next.
 */
final class SoundEvents {

  /**
   * A chance byte and the ones behind it look like the head of an event in about one of twenty
   * cases: few sizes are impossible, most types are. So many heads in a row are no chance, if one
   * of them has a time of the chunk: in events of one length, a field that holds this length leads
   * from each to the next as well.
   */
  private static final int CHAIN = 8;

  /** A size, a type and a time: numbers of up to nine bytes. */
  private static final int HEAD = ChunkFile.HEAD + 9;

  /** At the end of the chunk fewer do, as they end exactly there. */
  private static final int CHAIN_TO_THE_END = 2;

  /** A chunk that is made up so that each look leads far away must not take hours. */
  private static final int MOST_LOOKS_ELSEWHERE = 100_000;

  private final ChunkFile file;
  private final LongPredicate declared;
  private final LongPredicate inTime;
  private final byte[] window = new byte[EventWindow.SIZE];
  private final byte[] elsewhere = new byte[HEAD];
  private long base;
  private int filled;
  private int looksLeft = MOST_LOOKS_ELSEWHERE;
  private boolean dated;

  /**
   * Of one chunk.
   *
   * @param declared whether a number is that of a type of events
   * @param inTime whether ticks are of the time of the chunk
   */
  SoundEvents(ChunkFile file, LongPredicate declared, LongPredicate inTime) {
    this.file = file;
    this.declared = declared;
    this.inTime = inTime;
  }

  /** The next event behind a place at which there is none; empty if there is none any more. */
  OptionalLong after(long place) throws IOException {
    for (long from = place + 1; from < file.end(); from += filled) {
      base = from;
      filled = (int) Math.min(window.length, file.end() - from);
      file.read(from, window, 0, filled);
      for (int i = 0; i < filled && looksLeft > 0; i++) {
        // A compressed number that begins with a zero byte is zero, and no size.
        if ((window[i] != 0 || !file.compressed()) && leadsOn(base + i)) {
          return OptionalLong.of(base + i);
        }
      }
    }
    return OptionalLong.empty();
  }

  private boolean leadsOn(long first) throws IOException {
    long place = first;
    dated = false;
    for (int events = 0; events < CHAIN; events++) {
      if (place == file.end()) {
        return events >= CHAIN_TO_THE_END && dated;
      }
      long size = sizeAt(place);
      if (size <= 0 || size > file.end() - place) {
        return false;
      }
      place += size;
    }
    return dated;
  }

  /** The size of the event at a place; 0 if there is none. */
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
      boolean event = declared.test(bytes.readLong());
      int headLength = bytes.at() - at;
      if (!event || headLength > head || size <= headLength) {
        return 0;
      }
      dated |= inTime.test(bytes.readLong());
      return size;
    } catch (IndexOutOfBoundsException e) {
      // Of a chunk's last bytes no head can be made.
      return 0;
    }
  }
}
