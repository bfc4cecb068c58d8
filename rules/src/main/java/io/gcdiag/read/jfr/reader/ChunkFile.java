package io.gcdiag.read.jfr.reader;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One chunk's bytes in its file. Positions are relative to the chunk's beginning.
 *
 * @param offset where the chunk begins in it
 * @param end position up to which it may be read
 * @param compressed whether numbers are compressed
 */
record ChunkFile(Content content, long offset, long end, boolean compressed) {

  /** Longest head of an event: its size and its type, as numbers of full length. */
  static final int HEAD = 2 * 9;

  /** Most events with constants are smaller. */
  private static final int FIRST_READ = 1 << 14;

  /** Fills part of an array. */
  void read(long from, byte[] into, int at, int length) throws IOException {
    if (content.fill(ByteBuffer.wrap(into, at, length), offset + from) < length) {
      throw new EOFException("the file became shorter while it was read");
    }
  }

  /**
   * An event read on its own, out of order.
   *
   * @param bytes positioned after its type
   * @param end where it ends in them
   */
  public record Whole(ChunkBytes bytes, int end) {}

  ChunkBytes event(long at, long type) throws IOException {
    Whole whole = event(at, type, new byte[0]);
    // The buffer may be longer than the event; it is cut so that damage shows as the end of the
    // bytes.
    byte[] data = Arrays.copyOf(whole.bytes().data(), whole.end());
    ChunkBytes bytes = new ChunkBytes(data, compressed);
    bytes.at(whole.bytes().at());
    return bytes;
  }

  /**
   * Reads an event out of order.
   *
   * @param room a buffer to use if it is large enough
   */
  Whole event(long at, long type, byte[] room) throws IOException {
    if (at < Chunk.HEADER_SIZE || at >= end) {
      throw new DamagedChunkException("an event outside of its chunk");
    }
    byte[] data = room.length < FIRST_READ ? new byte[FIRST_READ] : room;
    int read = (int) Math.min(end - at, FIRST_READ);
    read(at, data, 0, read);
    ChunkBytes event = new ChunkBytes(data, compressed);
    int size = event.readInt();
    if (size < event.at() || size > end - at) {
      throw new DamagedChunkException("an event longer than its chunk");
    }
    if (size > data.length) {
      data = Arrays.copyOf(data, size);
      event = new ChunkBytes(data, compressed);
      event.readInt();
    }
    if (size > read) {
      read(at + read, data, read, size - read);
    }
    if (event.readLong() != type) {
      throw new DamagedChunkException("an event of another type than was promised");
    }
    return new Whole(event, size);
  }

  ChunkFile upTo(long position) {
    return new ChunkFile(content, offset, position, compressed);
  }
}
