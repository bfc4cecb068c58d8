package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.file.Chunk;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Copies one chunk out of a file so that the JDK's reader accepts it. A cut or unfinished chunk is
 * ended after its last whole event; it can be read only if its metadata and a constant pool are in
 * what is left.
 */
final class ChunkRepair {

  private static final int TYPE_METADATA = 0;
  private static final int TYPE_CONSTANT_POOL = 1;
  private static final int LONGEST_VARINT = 9;
  private static final int VARINT_BITS = 7;
  private static final int VARINT_MASK = 0x7f;

  private ChunkRepair() {}

  /** Where the events of a chunk end, and the last metadata and constant pool before that. */
  private record Walk(long end, long metadataAt, long constantPoolAt) {
    boolean readable() {
      return metadataAt > 0 && constantPoolAt > 0;
    }
  }

  /**
   * Copies an intact chunk as it is, another one repaired.
   *
   * @return how many bytes of the chunk are in the copy; empty if nothing in it can be read
   */
  static Optional<Long> copy(Path recording, Chunk chunk, Path copy) throws IOException {
    try (FileChannel in = FileChannel.open(recording, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                copy, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      if (chunk.intact()) {
        transfer(in, chunk.offset(), chunk.size(), out);
        return Optional.of(chunk.size());
      }
      Walk walk = walk(recording, chunk);
      if (!walk.readable()) {
        return Optional.empty();
      }
      transfer(in, chunk.offset(), walk.end(), out);
      putLong(out, Chunk.SIZE_AT, walk.end());
      putLong(out, Chunk.CONSTANT_POOL_AT, walk.constantPoolAt());
      putLong(out, Chunk.METADATA_AT, walk.metadataAt());
      out.write(ByteBuffer.wrap(new byte[] {0}), Chunk.STATE_AT);
      return Optional.of(walk.end());
    }
  }

  private static Walk walk(Path recording, Chunk chunk) throws IOException {
    long end = Chunk.HEADER_SIZE;
    long metadata = 0;
    long constantPool = 0;
    try (InputStream file = Files.newInputStream(recording);
        DataInputStream in = new DataInputStream(new BufferedInputStream(file, 1 << 16))) {
      in.skipNBytes(chunk.offset() + Chunk.HEADER_SIZE);
      while (end < chunk.size()) {
        long[] size = varint(in);
        long[] type = varint(in);
        long rest = size[0] - size[1] - type[1];
        if (rest < 0 || end + size[0] > chunk.size()) {
          break;
        }
        in.skipNBytes(rest);
        if (type[0] == TYPE_METADATA) {
          metadata = end;
        } else if (type[0] == TYPE_CONSTANT_POOL) {
          constantPool = end;
        }
        end += size[0];
      }
    } catch (EOFException e) {
      // The cut: what came before it is whole.
      return new Walk(end, metadata, constantPool);
    }
    return new Walk(end, metadata, constantPool);
  }

  /** A number in the format's variable length and how many bytes it took. */
  private static long[] varint(DataInputStream in) throws IOException {
    long value = 0;
    for (int i = 0; i < LONGEST_VARINT; i++) {
      int next = in.readUnsignedByte();
      if (i == LONGEST_VARINT - 1) {
        return new long[] {value | (long) next << VARINT_BITS * i, i + 1};
      }
      value |= (long) (next & VARINT_MASK) << VARINT_BITS * i;
      if (next <= VARINT_MASK) {
        return new long[] {value, i + 1};
      }
    }
    throw new IllegalStateException("a number ends after nine bytes at most");
  }

  private static void transfer(FileChannel in, long from, long count, FileChannel out)
      throws IOException {
    long done = 0;
    while (done < count) {
      long moved = in.transferTo(from + done, count - done, out);
      if (moved <= 0) {
        throw new EOFException("the file became shorter while it was read");
      }
      done += moved;
    }
  }

  private static void putLong(FileChannel out, int at, long value) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(0, value);
    out.write(bytes, at);
  }
}
