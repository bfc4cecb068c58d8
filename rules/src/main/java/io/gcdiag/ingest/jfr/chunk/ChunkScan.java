package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.evidence.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The chunks of a recording file, found by following the sizes in their headers.
 *
 * @param chunks in the order of the file; the last one may not be intact
 * @param strayBytes bytes after the last chunk that belong to none
 */
public record ChunkScan(List<Chunk> chunks, long strayBytes) {

  private static final int MAGIC = 0x464c5200; // "FLR\0"
  private static final byte FIRST_LETTER = 'F';
  private static final int MAJOR_VERSION = 2;

  /** A header up to the time of its start. */
  private static final int MARK = Chunk.START_NANOS_AT + Long.BYTES;

  private static final int SEARCH_WINDOW = 1 << 16;

  /** A finished chunk has this state; anything else is the number of a write in progress. */
  private static final int STATE_FINISHED = 0;

  /** What a chunk whose length is not stated may last on an idle JVM. */
  private static final Duration LONGEST_CHUNK = Duration.ofDays(30);

  /** Chunk headers and events are dated by two clocks of the JVM. */
  private static final Duration CLOCK_ROOM = Duration.ofMinutes(1);

  /** Follows the headers of a file. */
  public static ChunkScan of(Path path) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long end = channel.size();
      long offset = 0;
      while (end - offset >= Chunk.HEADER_SIZE) {
        ByteBuffer header = ByteBuffer.allocate(Chunk.HEADER_SIZE);
        readFully(channel, header, offset);
        if (header.getInt(0) != MAGIC) {
          break;
        }
        if (chunks.isEmpty() && header.getShort(4) < MAJOR_VERSION) {
          throw new IOException(
              "a recording in the old format "
                  + header.getShort(4)
                  + "."
                  + header.getShort(6)
                  + " of Oracle JDK 7 or 8, which the JDK's reader cannot read; open it with JDK"
                  + " Mission Control");
        }
        Chunk chunk = chunk(header, offset, end - offset);
        if (!chunk.intact() || !leadsOn(channel, offset + chunk.size(), end)) {
          chunk = cutAtNextHeader(channel, chunk, end);
        }
        chunks.add(chunk);
        offset += chunk.size();
      }
      return new ChunkScan(List.copyOf(chunks), end - offset);
    }
  }

  /** Whether nothing in the headers speaks of damage. */
  public boolean intact() {
    return strayBytes == 0 && !chunks.isEmpty() && chunks.stream().allMatch(Chunk::intact);
  }

  /**
   * When the recorded events can have ended. A flipped bit can date an event centuries away, and
   * one such event would stretch the recording over them.
   */
  public Window plausibleTime() {
    Instant from = Instant.MAX;
    Instant to = Instant.MIN;
    for (Chunk chunk : chunks) {
      boolean lengthKnown = chunk.intact() && !chunk.length().isZero();
      Instant end = chunk.start().plus(lengthKnown ? chunk.length() : LONGEST_CHUNK);
      from = chunk.start().isBefore(from) ? chunk.start() : from;
      to = end.isAfter(to) ? end : to;
    }
    return new Window(from.minus(CLOCK_ROOM), to.plus(CLOCK_ROOM));
  }

  /** Whether a chunk's stated end is the file's, or another chunk begins there. */
  private static boolean leadsOn(FileChannel channel, long at, long end) throws IOException {
    if (end - at < MARK) {
      return at == end;
    }
    ByteBuffer mark = ByteBuffer.allocate(MARK);
    readFully(channel, mark, at);
    return isHeader(mark, 0);
  }

  private static boolean isHeader(ByteBuffer bytes, int at) {
    return bytes.getInt(at) == MAGIC && bytes.getShort(at + 4) == MAJOR_VERSION;
  }

  private static Instant startOf(ByteBuffer bytes, int header) {
    return Instant.ofEpochSecond(0, bytes.getLong(header + Chunk.START_NANOS_AT));
  }

  /**
   * A chunk that is unfinished or misstates its size ends where the next one begins, if there is
   * one: it must not swallow the sound chunks after it. The JVM writes copies of a chunk's header
   * into the chunk itself; they are told by the time of the start.
   */
  private static Chunk cutAtNextHeader(FileChannel channel, Chunk chunk, long end)
      throws IOException {
    ByteBuffer window = ByteBuffer.allocate(SEARCH_WINDOW);
    long at = chunk.offset() + Chunk.HEADER_SIZE;
    while (end - at >= Chunk.HEADER_SIZE) {
      window.clear();
      window.limit((int) Math.min(SEARCH_WINDOW, end - at));
      readFully(channel, window, at);
      for (int i = 0; i + MARK <= window.limit(); i++) {
        if (window.get(i) == FIRST_LETTER
            && isHeader(window, i)
            && !startOf(window, i).equals(chunk.start())) {
          long size = at + i - chunk.offset();
          return new Chunk(chunk.offset(), size, false, chunk.start(), chunk.length());
        }
      }
      // Windows overlap, so that a header across their border is found.
      at += window.limit() - MARK + 1;
    }
    return chunk;
  }

  private static Chunk chunk(ByteBuffer header, long offset, long rest) {
    long stated = header.getLong(Chunk.SIZE_AT);
    boolean whole = stated > Chunk.HEADER_SIZE && stated <= rest;
    boolean finished = header.get(Chunk.STATE_AT) == STATE_FINISHED;
    // An unfinished chunk states the size up to its last flush; what follows belongs to it as well.
    long size = whole && finished ? stated : rest;
    return new Chunk(
        offset,
        size,
        whole && finished,
        startOf(header, 0),
        Duration.ofNanos(Math.max(0, header.getLong(Chunk.DURATION_NANOS_AT))));
  }

  private static void readFully(FileChannel channel, ByteBuffer into, long at) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into, at + into.position()) < 0) {
        throw new IOException("the file became shorter while it was read");
      }
    }
  }
}
