package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongPredicate;

/**
 * Positions of a chunk's tables, from its header or, if the chunk is truncated or unfinished, from
 * its events.
 *
 * @param file its bytes, as far as there are complete events
 * @param metadataAt where the last metadata event begins; 0 if there is none
 * @param constantsAt where the last event with constants begins; 0 if there is none
 * @param clock converts ticks into time
 * @param times when its events began
 */
public record ChunkHeader(
    ChunkFile file, long metadataAt, long constantsAt, ChunkClock clock, EventTimes times) {

  public static final int TYPE_METADATA = 0;
  public static final int TYPE_CONSTANTS = 1;

  /** The flag of numbers in variable length. */
  static final int COMPRESSED = 1;

  /**
   * Provides the event types that a chunk declares at a position, or those of the previous chunk.
   */
  public interface KnownTypes {
    /** Tests whether a number is that of an event type; empty if no types are known. */
    Optional<LongPredicate> of(ChunkFile file, long metadataAt);
  }

  /**
   * Reads the header.
   *
   * @param before the clock of the previous chunk
   * @param types the known types
   */
  static ChunkHeader of(Content content, Chunk chunk, Optional<ChunkClock> before, KnownTypes types)
      throws IOException {
    byte[] bytes = new byte[Chunk.HEADER_SIZE];
    new ChunkFile(content, chunk.offset(), chunk.size(), true).read(0, bytes, 0, bytes.length);
    ByteBuffer header = ByteBuffer.wrap(bytes);
    boolean compressed = (header.get(Chunk.FLAGS_AT) & COMPRESSED) != 0;
    ChunkFile file = new ChunkFile(content, chunk.offset(), chunk.size(), compressed);
    long startTicks = header.getLong(Chunk.START_TICKS_AT);
    long ticksPerSecond = header.getLong(Chunk.TICKS_PER_SECOND_AT);
    ChunkClock own =
        new ChunkClock(startTicks, header.getLong(Chunk.START_NANOS_AT), ticksPerSecond);
    TickSpan span =
        chunk.lengthIsKnown()
            ? TickSpan.of(file, chunk.length(), startTicks, ticksPerSecond)
            : new TickSpan(startTicks, OptionalDouble.empty());
    ChunkClock corrected = own.corrected(span.ratio(), before);
    ChunkHeader stated =
        new ChunkHeader(
            file,
            header.getLong(Chunk.METADATA_AT),
            header.getLong(Chunk.CONSTANT_POOL_AT),
            before.map(corrected::after).orElse(corrected),
            EventTimes.of(chunk, startTicks, ticksPerSecond, span.end()));
    return chunk.intact() ? stated : stated.asFound(types);
  }

  /** The header of a truncated or unfinished chunk is that of the last flush, if there was any. */
  private ChunkHeader asFound(KnownTypes types) throws IOException {
    ChunkTables found = tables(types.of(file, metadataAt));
    return new ChunkHeader(
        file.upTo(found.end()),
        last(found.metadata()).orElse(metadataAt),
        last(found.constants()).orElse(constantsAt),
        clock,
        times);
  }

  private static Optional<Long> last(List<Long> places) {
    return places.isEmpty() ? Optional.empty() : Optional.of(places.get(places.size() - 1));
  }

  /**
   * Iterates over its events, also after damage.
   *
   * @param types all event types that it declares
   */
  EventWindow events(EventWindow.Memory memory, LongPredicate types) {
    SoundEvents sound = new SoundEvents(file, Optional.of(types), times::isInTime, true);
    return new EventWindow(file, memory, sound);
  }

  /**
   * Finds the tables by its events.
   *
   * @param types the known types
   */
  ChunkTables tables(Optional<LongPredicate> types) throws IOException {
    return ChunkTables.of(file, types, times);
  }

  /** Whether it has constants; its types may be those of the previous chunk. */
  boolean isReadable() {
    return constantsAt > 0;
  }
}
