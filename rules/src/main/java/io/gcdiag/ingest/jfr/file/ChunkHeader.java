package io.gcdiag.ingest.jfr.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Where things stand in a chunk, as its header says or, if it is cut or unfinished, as its events
 * show.
 *
 * @param file its bytes, as far as there are whole events
 * @param metadataAt where the last metadata event begins; 0 if there is none
 * @param constantsAt where the last event with constants begins; 0 if there is none
 * @param clock turns ticks into time
 */
public record ChunkHeader(ChunkFile file, long metadataAt, long constantsAt, ChunkClock clock) {

  public static final int TYPE_METADATA = 0;
  public static final int TYPE_CONSTANTS = 1;

  /** The flag of numbers in variable length. */
  static final int COMPRESSED = 1;

  /**
   * Reads it.
   *
   * @param before the clock of the chunk before
   */
  public static ChunkHeader of(Content content, Chunk chunk, Optional<ChunkClock> before)
      throws IOException {
    byte[] bytes = new byte[Chunk.HEADER_SIZE];
    new ChunkFile(content, chunk.offset(), chunk.size(), true).read(0, bytes, 0, bytes.length);
    ByteBuffer header = ByteBuffer.wrap(bytes);
    boolean compressed = (header.get(Chunk.FLAGS_AT) & COMPRESSED) != 0;
    ChunkFile file = new ChunkFile(content, chunk.offset(), chunk.size(), compressed);
    ChunkClock own =
        new ChunkClock(
            header.getLong(Chunk.START_TICKS_AT),
            header.getLong(Chunk.START_NANOS_AT),
            header.getLong(Chunk.TICKS_PER_SECOND_AT));
    ChunkClock clock = before.map(own::after).orElse(own);
    return chunk.intact()
        ? new ChunkHeader(
            file, header.getLong(Chunk.METADATA_AT), header.getLong(Chunk.CONSTANT_POOL_AT), clock)
        : walk(file, clock);
  }

  private static ChunkHeader walk(ChunkFile file, ChunkClock clock) throws IOException {
    long end = Chunk.HEADER_SIZE;
    long metadata = 0;
    long constants = 0;
    EventWindow events = new EventWindow(file, new EventWindow.OneMemory());
    try {
      while (events.next()) {
        if (events.type() == TYPE_METADATA) {
          metadata = events.position();
        } else if (events.type() == TYPE_CONSTANTS) {
          constants = events.position();
        }
        end = events.endPosition();
      }
    } catch (DamagedChunkException e) {
      // What came before is whole.
      return new ChunkHeader(file.upTo(end), metadata, constants, clock);
    }
    return new ChunkHeader(file.upTo(end), metadata, constants, clock);
  }

  /** Whether it has what every event needs to be understood. */
  public boolean isReadable() {
    return metadataAt > 0 && constantsAt > 0;
  }
}
