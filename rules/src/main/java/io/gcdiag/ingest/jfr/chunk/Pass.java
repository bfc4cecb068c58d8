package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.chunk.ChunkSource.Located;
import io.gcdiag.ingest.jfr.event.EventLane;
import io.gcdiag.ingest.jfr.event.EventSink;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * What was found when the chunks of a recording were gone over once.
 *
 * @param whole how many chunks there are of which nothing is missing
 * @param broken how many were read up to some damage
 * @param bytes how much was read
 */
record Pass(int whole, int broken, long bytes) {

  /** Whether that was all of so many chunks. */
  boolean isSound(int chunks) {
    return broken == 0 && whole == chunks;
  }

  /**
   * Goes over the chunks, with a second thread if the sink has two lanes.
   *
   * @param progress hears after each chunk how many bytes of the recording are done
   */
  static Pass inLanes(ChunkSource source, EventSink sink, LongConsumer progress)
      throws IOException {
    List<EventLane> lanes = sink.lanes();
    if (lanes.size() != 2) {
      return of(source, sink, progress);
    }
    LaneRun first = new LaneRun(lanes.get(0));
    try (LaneThread thread = new LaneThread(first)) {
      ChunkRun.Beside beside = new ChunkRun.Beside(first, thread);
      LaneRun second = new LaneRun(lanes.get(1));
      return of(source, new ChunkRun(sink, second, Optional.of(beside)), progress);
    }
  }

  /** Goes over the chunks with one thread. */
  static Pass of(ChunkSource source, EventSink sink, LongConsumer progress) throws IOException {
    return of(source, new ChunkRun(sink, new LaneRun(sink), Optional.empty()), progress);
  }

  private static Pass of(ChunkSource source, ChunkRun run, LongConsumer progress)
      throws IOException {
    PlausibleTime plausible = new PlausibleTime();
    int whole = 0;
    int broken = 0;
    long bytes = 0;
    Optional<ChunkClock> clock = Optional.empty();
    try {
      for (Optional<Located> next = source.next(); next.isPresent(); next = source.next()) {
        Chunk chunk = next.get().chunk();
        plausible.add(chunk);
        ChunkHeader header = ChunkHeader.of(next.get().content(), chunk, clock);
        clock = Optional.of(header.clock());
        if (header.isReadable()) {
          boolean all = run.read(header, plausible.window());
          bytes += all ? header.file().end() : 0;
          whole += all && chunk.intact() ? 1 : 0;
          broken += all ? 0 : 1;
          progress.accept(chunk.offset() + chunk.size());
        }
      }
    } catch (EOFException e) {
      // The file became shorter while it was read: what came before counts.
      return new Pass(whole, broken + 1, bytes);
    }
    return new Pass(whole, broken, bytes);
  }
}
