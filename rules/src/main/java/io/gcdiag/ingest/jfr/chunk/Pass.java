package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.chunk.ChunkSource.Located;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventLane;
import io.gcdiag.ingest.jfr.event.EventSink;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * What was found when the chunks of a recording were gone over once.
 *
 * @param whole how many chunks there are of which nothing is missing
 * @param broken how many were read up to some damage
 * @param bytes how much was read
 */
record Pass(int whole, int broken, long bytes) {

  private static final LongConsumer NOBODY = read -> {};

  /** One lane tells of the whole recording. */
  private static final BiConsumer<Instant, Instant> TOLD_ALREADY = (first, last) -> {};

  /** Whether that was all of so many chunks. */
  boolean isSound(int chunks) {
    return broken == 0 && whole == chunks;
  }

  /**
   * Each lane of a sink goes over the chunks in a thread of its own.
   *
   * @param progress hears after each chunk how many bytes of the recording are done
   * @return what was found by a lane that met damage; if none did, all found the same
   */
  static Pass inLanes(
      ChunkSource source, EventSink sink, List<EventLane> lanes, LongConsumer progress)
      throws IOException {
    List<FutureTask<Pass>> others = new ArrayList<>();
    for (int i = 1; i < lanes.size(); i++) {
      int number = i;
      EventSink lane = new OfLane(lanes.get(i), TOLD_ALREADY);
      FutureTask<Pass> task = new FutureTask<>(() -> of(source, number, lane, NOBODY));
      others.add(task);
      Thread thread = new Thread(task, "gcdiag-recording-" + number);
      thread.setDaemon(true);
      thread.start();
    }
    Pass found = of(source, 0, new OfLane(lanes.get(0), sink::span), progress);
    for (FutureTask<Pass> other : others) {
      Pass also = result(other);
      found = also.whole < found.whole || also.broken > found.broken ? also : found;
    }
    return found;
  }

  private static Pass result(FutureTask<Pass> task) throws IOException {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a recording was read", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IOException("a recording cannot be read", e.getCause());
    }
  }

  /** One sink goes over the chunks. */
  static Pass of(ChunkSource source, int lane, EventSink sink, LongConsumer progress)
      throws IOException {
    ChunkRun run = new ChunkRun(sink);
    PlausibleTime plausible = new PlausibleTime();
    int whole = 0;
    int broken = 0;
    long bytes = 0;
    Optional<ChunkClock> clock = Optional.empty();
    try {
      Optional<Located> next = source.get(lane, 0);
      for (int i = 1; next.isPresent(); i++) {
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
        next = source.get(lane, i);
      }
      return new Pass(whole, broken, bytes);
    } finally {
      source.leave(lane);
    }
  }

  /** One lane, and who hears what is told of the whole recording. */
  private record OfLane(EventLane lane, BiConsumer<Instant, Instant> ends) implements EventSink {
    @Override
    public void types(Map<Long, String> nameById) {
      lane.types(nameById);
    }

    @Override
    public Optional<Consumer<Event>> reader(String type) {
      return lane.reader(type);
    }

    @Override
    public void span(Instant firstEnd, Instant lastEnd) {
      ends.accept(firstEnd, lastEnd);
    }
  }
}
