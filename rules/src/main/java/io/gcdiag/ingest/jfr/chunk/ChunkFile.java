package io.gcdiag.ingest.jfr.chunk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One chunk's bytes in its file. Positions count from the chunk's beginning.
 *
 * @param content the recording
 * @param offset where the chunk begins in it
 * @param end how many bytes of it may be read
 * @param compressed whether numbers are compressed
 */
record ChunkFile(Content content, long offset, long end, boolean compressed) {

  /** The longest beginning of an event: its size and its type, as numbers of full length. */
  static final int HEAD = 2 * 9;

  /** The bytes between two positions. */
  Bytes bytes(long from, long to) throws IOException {
    byte[] data = new byte[Math.toIntExact(to - from)];
    read(from, data, 0, data.length);
    return new Bytes(data, compressed);
  }

  /** Fills part of an array. */
  void read(long from, byte[] into, int at, int length) throws IOException {
    if (content.fill(ByteBuffer.wrap(into, at, length), offset + from) < length) {
      throw new EOFException("the file became shorter while it was read");
    }
  }

  /**
   * An event that is not read in turn.
   *
   * @return all of it; the place stands behind its type
   */
  Bytes event(long at, long type) throws IOException {
    if (at < Chunk.HEADER_SIZE || at >= end) {
      throw new DamagedChunkException("an event outside of its chunk");
    }
    Bytes head = bytes(at, Math.min(end, at + HEAD));
    int size = head.readInt();
    if (size < head.at() || size > end - at) {
      throw new DamagedChunkException("an event longer than its chunk");
    }
    Bytes event = bytes(at, at + size);
    event.readInt();
    if (event.readLong() != type) {
      throw new DamagedChunkException("an event of another type than was promised");
    }
    return event;
  }

  /** The same chunk as far as a position. */
  ChunkFile upTo(long position) {
    return new ChunkFile(content, offset, position, compressed);
  }
}
