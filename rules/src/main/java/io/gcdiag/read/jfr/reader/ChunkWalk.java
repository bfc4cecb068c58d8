package io.gcdiag.read.jfr.reader;

import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds the chunks of a recording one after another, by the sizes in their headers. */
final class ChunkWalk {

  private static final int MAGIC = 0x464c5200; // "FLR\0"
  private static final byte FIRST_LETTER = 'F';
  private static final int MAJOR_VERSION = 2;

  /** Length of a header up to its start time. */
  private static final int MARK = Chunk.START_NANOS_AT + Long.BYTES;

  private static final int SEARCH_WINDOW = 1 << 16;

  /** State of a finished chunk; any other value is the number of a write in progress. */
  private static final int STATE_FINISHED = 0;

  private final Content content;
  private long offset;
  private boolean intact = true;

  ChunkWalk(Content content) {
    this.content = content;
  }

  /** Where the chunks found so far end. */
  long offset() {
    return offset;
  }

  /** Whether nothing so far shows damage. */
  boolean intact() {
    return intact && offset > 0;
  }

  /**
   * Moves to the next chunk.
   *
   * @return empty if no chunk begins where the last one ended
   * @throws IOException if it is a recording of the old format
   */
  Optional<Chunk> next() throws IOException {
    ByteBuffer header = ByteBuffer.allocate(Chunk.HEADER_SIZE);
    int length = content.fill(header, offset);
    if (length < Chunk.HEADER_SIZE || header.getInt(0) != MAGIC) {
      intact &= length == 0;
      return length == 0 ? Optional.empty() : behindDamage();
    }
    if (offset == 0 && header.getShort(4) < MAJOR_VERSION) {
      throw new IOException(ofOldFormat(header.getShort(4), header.getShort(6)));
    }
    Chunk chunk = chunk(header);
    offset += chunk.size();
    intact &= chunk.intact();
    return Optional.of(chunk);
  }

  /**
   * Format 1.x has other event and field names, which the JDK's reader knows ({@code ChunkHeader}).
   */
  private static String ofOldFormat(int major, int minor) {
    String which = "a recording in the old format " + major + "." + minor;
    return major == 0
        ? which
            + " of Oracle JDK 7 or 8, which the JDK's reader cannot read; open it with JDK Mission"
            + " Control"
        : which
            + " of Oracle JDK 9 or 10, whose events have other names; open it with JDK Mission"
            + " Control, or print it with the command jfr of a JDK";
  }

  /** Finds the next chunk after a damaged header, or after other data before the first chunk. */
  private Optional<Chunk> behindDamage() throws IOException {
    OptionalLong header = nextHeader(offset, Instant.MAX, true);
    if (header.isEmpty()) {
      return Optional.empty();
    }
    offset = header.getAsLong();
    return next();
  }

  private Chunk chunk(ByteBuffer header) throws IOException {
    long stated = header.getLong(Chunk.SIZE_AT);
    Instant start = startOf(header, 0);
    Duration duration = Duration.ofNanos(Math.max(0, header.getLong(Chunk.DURATION_NANOS_AT)));
    boolean whole = header.get(Chunk.STATE_AT) == STATE_FINISHED && isThere(stated);
    Chunk asStated = new Chunk(offset, stated, true, start, duration);
    if (whole && (leadsOn(offset + stated) || endsWithItsTables(header, stated))) {
      return asStated;
    }
    // An unfinished chunk states the size up to its last flush; what follows also belongs to it.
    OptionalLong border = nextHeader(offset + Chunk.HEADER_SIZE, start, whole);
    if (whole && border.isEmpty()) {
      return asStated;
    }
    long end = border.isPresent() ? border.getAsLong() : content.end();
    return new Chunk(offset, end - offset, false, start, duration);
  }

  private boolean isThere(long stated) throws IOException {
    if (stated <= Chunk.HEADER_SIZE || stated > Long.MAX_VALUE - offset) {
      return false;
    }
    try {
      return content.reaches(offset + stated);
    } catch (HeldTooMuchException e) {
      // Either damage made the size huge, or the chunk is too large to keep. Which one it is
      // depends on whether another chunk begins before that size.
      return false;
    }
  }

  /** Whether the stated end of a chunk is the end of the file, or another chunk begins there. */
  private boolean leadsOn(long at) throws IOException {
    ByteBuffer mark = ByteBuffer.allocate(MARK);
    int length = content.fill(mark, at);
    return length == 0 || length == MARK && isHeader(mark, 0);
  }

  /**
   * Whether the stated end is that of the metadata or of the last constants, which the JVM writes
   * last. If so, the size is right, and what follows is damaged.
   */
  private boolean endsWithItsTables(ByteBuffer header, long stated) throws IOException {
    long last = Math.max(header.getLong(Chunk.METADATA_AT), header.getLong(Chunk.CONSTANT_POOL_AT));
    if (last < Chunk.HEADER_SIZE || last > stated - ChunkFile.HEAD) {
      return false;
    }
    boolean compressed = (header.get(Chunk.FLAGS_AT) & ChunkHeader.COMPRESSED) != 0;
    byte[] head = new byte[ChunkFile.HEAD];
    content.fill(ByteBuffer.wrap(head), offset + last);
    return last + new ChunkBytes(head, compressed).readInt() == stated;
  }

  private static boolean isHeader(ByteBuffer bytes, int at) {
    return bytes.getInt(at) == MAGIC && bytes.getShort(at + 4) == MAJOR_VERSION;
  }

  private static Instant startOf(ByteBuffer bytes, int header) {
    return Instant.ofEpochSecond(0, bytes.getLong(header + Chunk.START_NANOS_AT));
  }

  /**
   * If a chunk is unfinished or its size is wrong, it ends where the next chunk begins, so that it
   * does not swallow intact chunks. The JVM writes copies of a chunk's header into the chunk
   * itself, which are recognised by their equal start time.
   *
   * @param whole whether the chunk is already known to be complete
   */
  private OptionalLong nextHeader(long from, Instant start, boolean whole) throws IOException {
    ByteBuffer window = ByteBuffer.allocate(SEARCH_WINDOW);
    long at = from;
    try {
      while (content.fill(window.clear(), at) >= Chunk.HEADER_SIZE) {
        window.flip();
        for (int i = 0; i + MARK <= window.limit(); i++) {
          if (window.get(i) == FIRST_LETTER
              && isHeader(window, i)
              && !startOf(window, i).equals(start)) {
            return OptionalLong.of(at + i);
          }
        }
        // Windows overlap, so that a header across their border is found.
        at += window.limit() - MARK + 1;
      }
    } catch (HeldTooMuchException e) {
      if (!whole) {
        throw e;
      }
    }
    return OptionalLong.empty();
  }

  /** A chunk of a compressed recording exceeds the memory allowed for it. */
  static final class HeldTooMuchException extends IOException {

    private static final long serialVersionUID = 1L;

    HeldTooMuchException(long most) {
      super(
          "has a chunk of more than "
              + Numbers.count(most >> 20)
              + " MiB, too much to hold in memory while it is unpacked; unpack the file first, or"
              + " allow more memory (GCDIAG_JAVA_OPTS=-Xmx4g)");
    }
  }
}
