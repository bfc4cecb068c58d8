package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.chunk.ChunkSource.Located;
import io.gcdiag.ingest.jfr.event.EventLane;
import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.file.Chunk;
import io.gcdiag.ingest.jfr.file.ChunkClock;
import io.gcdiag.ingest.jfr.file.ChunkHeader;
import io.gcdiag.ingest.jfr.file.PlausibleTime;
import io.gcdiag.ingest.jfr.file.ReadChunk;
import io.gcdiag.ingest.jfr.file.ReadChunk.Outcome;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * What was found when the chunks of a recording were gone over once.
 *
 * @param parts the chunks, in the order of the file
 * @param bytes how much was read
 */
record Pass(List<ReadChunk> parts, long bytes) {

  /** Whether that was all of so many chunks. */
  boolean isSound(int chunks) {
    return parts.size() == chunks
        && parts.stream()
            .allMatch(part -> part.outcome() == Outcome.WHOLE || part.outcome() == Outcome.KNOWN);
  }

  /**
   * Goes over the chunks, with a second thread if the sink has two lanes.
   *
   * @param progress hears after each chunk how many bytes of the recording are done
   */
  static Pass inLanes(
      ChunkSource source, Predicate<Chunk> known, EventSink sink, LongConsumer progress)
      throws IOException {
    List<EventLane> lanes = sink.lanes();
    if (lanes.size() != 2) {
      return of(source, known, sink, progress);
    }
    LaneRun first = new LaneRun(lanes.get(0));
    try (LaneThread thread = new LaneThread(first)) {
      ChunkRun.Beside beside = new ChunkRun.Beside(first, thread);
      LaneRun second = new LaneRun(lanes.get(1));
      return of(source, known, new ChunkRun(sink, second, Optional.of(beside)), progress);
    }
  }

  /** Goes over the chunks with one thread. */
  static Pass of(ChunkSource source, Predicate<Chunk> known, EventSink sink, LongConsumer progress)
      throws IOException {
    ChunkRun run = new ChunkRun(sink, new LaneRun(sink), Optional.empty());
    return of(source, known, run, progress);
  }

  private static Pass of(
      ChunkSource source, Predicate<Chunk> known, ChunkRun run, LongConsumer progress)
      throws IOException {
    PlausibleTime plausible = new PlausibleTime();
    Predicate<Chunk> unread = ReadChunk.unread(known, new HashSet<>());
    List<ReadChunk> parts = new ArrayList<>();
    long bytes = 0;
    Optional<ChunkClock> clock = Optional.empty();
    Optional<Chunk> reading = Optional.empty();
    try {
      for (Optional<Located> next = source.next(); next.isPresent(); next = source.next()) {
        Chunk chunk = next.get().chunk();
        reading = Optional.of(chunk);
        plausible.add(chunk);
        Outcome outcome = Outcome.KNOWN;
        if (unread.test(chunk)) {
          ChunkHeader header = ChunkHeader.of(next.get().content(), chunk, clock, run::knownTypes);
          clock = Optional.of(header.clock());
          ChunkRun.Read read = read(run, header, plausible);
          boolean cut = read.outcome() == Outcome.WHOLE && !chunk.intact();
          outcome = cut ? Outcome.CUT : read.outcome();
          bytes += read.bytes();
        }
        parts.add(new ReadChunk(chunk, outcome));
        reading = Optional.empty();
        progress.accept(chunk.offset() + chunk.size());
      }
    } catch (EOFException e) {
      // The file became shorter while it was read: what came before counts.
      reading.ifPresent(chunk -> parts.add(new ReadChunk(chunk, Outcome.BROKEN)));
    }
    return new Pass(parts, bytes);
  }

  private static ChunkRun.Read read(ChunkRun run, ChunkHeader header, PlausibleTime plausible) {
    return header.isReadable()
        ? run.read(header, plausible.window())
        : new ChunkRun.Read(Outcome.LOST, 0);
  }
}
