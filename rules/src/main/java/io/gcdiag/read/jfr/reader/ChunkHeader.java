package io.gcdiag.read.jfr.reader;

import io.gcdiag.read.jfr.reader.ChunkHeader.EventTimes;
import io.gcdiag.read.jfr.reader.ChunkHeader.TickSpan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.Set;
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

  /** Finds the tables by its events. */
  ChunkTables tables(Optional<LongPredicate> types) throws IOException {
    return ChunkTables.of(file, types, times);
  }

  /** Whether it has constants; its types may be those of the previous chunk. */
  boolean isReadable() {
    return constantsAt > 0;
  }

  /**
   * Compares the ticks of a chunk's events with the duration that its header states by the system
   * clock. An event cannot begin after the end of its chunk, so if many do, the header's frequency
   * is wrong. Ticks that end early prove nothing: an idle JVM writes few events, and the counter of
   * a suspended machine stops.
   *
   * @param end the tick at which the latest events begin; the start of the chunk if there are too
   *     few
   * @param ratio duration by ticks divided by that of the system clock, 1 if they agree; empty if
   *     unknown
   */
  record TickSpan(long end, OptionalDouble ratio) {

    /**
     * A thread of the JVM ends a chunk, and then writes the last events: on busy machines up to
     * 0.74 s later.
     */
    static final Duration LATE_END = Duration.ofSeconds(2);

    /**
     * A smaller difference of the clocks is not corrected, so that times agree with the JDK's
     * reader.
     */
    private static final double AGREES = 1.01;

    /** Damage can give an event any time; this many do not agree by chance. */
    private static final int LATEST = 8;

    /** No counter is this many times as fast as stated; later ticks are damage. */
    private static final int MOST_RATIO = 4;

    /**
     * Reads the heads of a chunk's events, up to the first damage.
     *
     * @param length how long the chunk lasts by the system clock; more than zero
     */
    static TickSpan of(ChunkFile file, Duration length, long startTicks, long ticksPerSecond)
        throws IOException {
      double stated = length.toNanos() / 1e9 * ticksPerSecond;
      PriorityQueue<Long> latest = new PriorityQueue<>();
      byte[] data = new byte[EventWindow.SIZE];
      ChunkBytes bytes = new ChunkBytes(data, file.compressed());
      long base = Chunk.HEADER_SIZE;
      int filled = 0;
      int at = 0;
      while (base + at + SoundEvents.HEAD < file.end()) {
        if (at + SoundEvents.HEAD > filled) {
          base += at;
          at = 0;
          filled = (int) Math.min(data.length, file.end() - base);
          file.read(base, data, 0, filled);
        }
        bytes.at(at);
        int size = bytes.readInt();
        bytes.readLong();
        long since = bytes.readLong() - startTicks;
        if (size <= 0 || size > file.end() - base - at) {
          break;
        }
        boolean credible = since > 0 && since < stated * MOST_RATIO;
        if (credible && (latest.size() < LATEST || since > latest.peek())) {
          latest.add(since);
          if (latest.size() > LATEST) {
            latest.poll();
          }
        }
        if (size > Integer.MAX_VALUE - at) {
          break;
        }
        at += size;
      }
      return latest.size() < LATEST
          ? new TickSpan(startTicks, OptionalDouble.empty())
          : new TickSpan(startTicks + latest.peek(), ratio(latest.peek(), stated, ticksPerSecond));
    }

    private static OptionalDouble ratio(long last, double stated, long ticksPerSecond) {
      double ratio = last / stated;
      if (ratio <= AGREES) {
        return OptionalDouble.of(1);
      }
      boolean late = last - stated <= LATE_END.toNanos() / 1e9 * ticksPerSecond;
      return late ? OptionalDouble.empty() : OptionalDouble.of(ratio);
    }
  }

  /**
   * The ticks at which events of a chunk may begin, except for waits that began before it.
   *
   * @param from the beginning of the chunk
   * @param to its end; if unknown, the latest possible one
   */
  record EventTimes(long from, long to) {

    /** Longest duration of a chunk whose length is not stated, on an idle JVM. */
    private static final Duration LONGEST_CHUNK = Duration.ofDays(30);

    /**
     * For a chunk that began at a tick.
     *
     * @param lastTicks start of its latest events, by their ticks
     */
    static EventTimes of(Chunk chunk, long startTicks, long ticksPerSecond, long lastTicks) {
      long moment = ticks(TickSpan.LATE_END, ticksPerSecond);
      long length = ticks(chunk.lengthIsKnown() ? chunk.length() : LONGEST_CHUNK, ticksPerSecond);
      return new EventTimes(startTicks - moment, Math.max(startTicks + length, lastTicks) + moment);
    }

    private static long ticks(Duration length, long perSecond) {
      return (long) (length.toNanos() / 1e9 * perSecond);
    }

    /** Whether an event began in the time of the chunk. */
    boolean isInTime(long ticks) {
      return ticks >= from && ticks <= to;
    }
  }

  /**
   * Positions of the tables of a chunk, found by going through its events. Used if the chunk's
   * header does not state them, or states a damaged position.
   *
   * @param metadata where types are declared, in file order
   * @param constants where constants are, in file order
   * @param types the numbers of its event types, up to the first damage
   * @param end where the last complete event ends
   */
  record ChunkTables(List<Long> metadata, List<Long> constants, Set<Long> types, long end) {

    /**
     * Finds them, also after damage.
     *
     * @param declared tests whether a number is that of an event type; if empty, the types seen
     *     before the damage are used
     * @param times when its events may have begun
     */
    static ChunkTables of(ChunkFile file, Optional<LongPredicate> declared, EventTimes times)
        throws IOException {
      Set<Long> seen = new HashSet<>();
      SoundEvents sound = new SoundEvents(file, declared, times::isInTime, false);
      EventWindow events = new EventWindow(file, new EventWindow.OneMemory(), sound);
      List<Long> metadata = new ArrayList<>();
      List<Long> constants = new ArrayList<>();
      long end = Chunk.HEADER_SIZE;
      while (events.next()) {
        long type = events.type();
        if (type == ChunkHeader.TYPE_METADATA) {
          metadata.add(events.position());
        } else if (type == ChunkHeader.TYPE_CONSTANTS) {
          constants.add(events.position());
        }
        if (events.lost() == 0) {
          seen.add(type);
          sound.see(type);
        }
        end = events.endPosition();
      }
      return new ChunkTables(List.copyOf(metadata), List.copyOf(constants), Set.copyOf(seen), end);
    }
  }
}
