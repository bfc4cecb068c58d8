package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventLane;
import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.event.RecordingReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import java.util.function.Supplier;

/**
 * Reads recordings chunk by chunk with code of our own: only the types that somebody asks for are
 * decoded, and only the constants that these refer to.
 *
 * <p>Each chunk stands for itself, so that a bad one costs only itself. Of a cut or unfinished
 * chunk all whole events are read, if its metadata and a constant pool are among them.
 *
 * <p>Several threads each go over the whole file for one lane of the sink, and pass over what
 * others read, which costs little. So every reader gets its events in the order of the file, and
 * the outcome is that of one thread to the last bit.
 */
public final class ChunkReader implements RecordingReader {

  private static final LongConsumer NOBODY = read -> {};

  /** One lane tells of the whole recording. */
  private static final BiConsumer<Instant, Instant> TOLD_ALREADY = (first, last) -> {};

  private final int threads;
  private final LongConsumer progress;

  /** Reads with one thread. */
  public ChunkReader() {
    this(1);
  }

  /** Reads with that many threads at most. */
  public ChunkReader(int threads) {
    this(threads, NOBODY);
  }

  /**
   * Reads with that many threads at most.
   *
   * @param progress hears after each chunk how many bytes of the file are done
   */
  public ChunkReader(int threads, LongConsumer progress) {
    this.threads = threads;
    this.progress = progress;
  }

  /** What one thread found of the chunks. */
  private record Pass(int whole, int broken, long bytes) {
    boolean isSound(ChunkScan scan) {
      return scan.intact() && broken == 0 && whole == scan.chunks().size();
    }
  }

  @Override
  public <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException {
    if (threads > 1 && scan.intact()) {
      S sink = sinks.get();
      Pass pass = inLanes(file, scan, sink);
      if (pass.isSound(scan)) {
        return reading(sink, pass, scan);
      }
      // Which damage is met depends on what is read: it is told as one thread sees it.
    }
    S sink = sinks.get();
    return reading(sink, pass(file, scan, sink, progress), scan);
  }

  private static <S extends EventSink> Reading<S> reading(S sink, Pass pass, ChunkScan scan) {
    return new Reading<>(sink, pass.isSound(scan), pass.whole(), pass.broken(), pass.bytes());
  }

  private Pass inLanes(Path file, ChunkScan scan, EventSink sink) throws IOException {
    List<EventLane> lanes = sink.lanes();
    List<FutureTask<Pass>> others = new ArrayList<>();
    for (EventLane lane : lanes.subList(1, lanes.size())) {
      FutureTask<Pass> task =
          new FutureTask<>(() -> pass(file, scan, new OfLane(lane, TOLD_ALREADY), NOBODY));
      others.add(task);
      Thread thread = new Thread(task, "gcdiag-recording-" + others.size());
      thread.setDaemon(true);
      thread.start();
    }
    Pass first = pass(file, scan, new OfLane(lanes.get(0), sink::span), progress);
    for (FutureTask<Pass> other : others) {
      Pass also = result(other);
      if (!also.isSound(scan)) {
        return also;
      }
    }
    return first;
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

  private static Pass pass(Path file, ChunkScan scan, EventSink sink, LongConsumer progress)
      throws IOException {
    ChunkRun run = new ChunkRun(sink, scan.plausibleTime());
    int whole = 0;
    int broken = 0;
    long bytes = 0;
    Optional<ChunkClock> clock = Optional.empty();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (Chunk chunk : scan.chunks()) {
        ChunkHeader header = ChunkHeader.of(channel, chunk, clock);
        clock = Optional.of(header.clock());
        if (!header.isReadable()) {
          continue;
        }
        boolean all = run.read(header);
        bytes += all ? header.file().end() : 0;
        whole += all && chunk.intact() ? 1 : 0;
        broken += all ? 0 : 1;
        progress.accept(chunk.offset() + chunk.size());
      }
    }
    return new Pass(whole, broken, bytes);
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
