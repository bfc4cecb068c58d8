package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.event.RecordingReader;
import io.gcdiag.ingest.jfr.file.Chunk;
import io.gcdiag.ingest.jfr.file.ChunkScan;
import io.gcdiag.ingest.jfr.file.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Reads recordings chunk by chunk with code of our own: only the types that are asked for are
 * decoded, and only the constants that these refer to.
 *
 * <p>Each chunk stands for itself, so that a bad one costs only itself. Of a cut or unfinished
 * chunk all whole events are read, if its metadata and a constant pool are among them.
 *
 * <p>With two threads one goes over the file and serves one lane of the sink; the other serves the
 * second lane, whose events it is handed in the order of the file. So every reader gets its events
 * in that order, and the outcome is that of one thread to the last bit.
 */
public final class ChunkReader implements RecordingReader {

  /** Of a packed recording a chunk is held, beside what is kept of all that was read. */
  private static final int HELD_PART = 3;

  private final int threads;
  private final LongConsumer progress;
  private final Predicate<Chunk> known;
  private final long mostHeld;

  /**
   * Reads recordings without some of their chunks.
   *
   * @param threads how many threads read, at most
   * @param progress hears after each chunk how many bytes of the file are done
   * @param known chunks that were read before, from another file
   */
  public ChunkReader(int threads, LongConsumer progress, Predicate<Chunk> known) {
    this(threads, progress, known, Runtime.getRuntime().maxMemory() / HELD_PART);
  }

  /**
   * Reads with that much memory at most for a chunk of a packed recording.
   *
   * @param mostHeld in bytes
   */
  ChunkReader(int threads, LongConsumer progress, Predicate<Chunk> known, long mostHeld) {
    this.threads = threads;
    this.progress = progress;
    this.known = known;
    this.mostHeld = mostHeld;
  }

  @Override
  public <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Content content = Content.of(channel);
      int chunks = scan.chunks().size();
      long total = channel.size();
      if (threads > 1 && scan.intact()) {
        S sink = sinks.get();
        Pass pass = Pass.inLanes(ChunkSource.of(scan.chunks(), content), known, sink, progress);
        if (pass.isSound(chunks)) {
          return reading(sink, true, pass, total);
        }
        // Which damage is met depends on what is read: it is reported as one thread sees it.
      }
      S sink = sinks.get();
      Pass pass = Pass.of(ChunkSource.of(scan.chunks(), content), known, sink, progress);
      return reading(sink, scan.intact() && pass.isSound(chunks), pass, total);
    }
  }

  @Override
  public <S extends EventSink> Reading<S> readPacked(Opener packed, Supplier<S> sinks)
      throws IOException {
    if (threads > 1) {
      S sink = sinks.get();
      try (InputStream in = packed.open()) {
        StreamChunks source = new StreamChunks(new StreamContent(in, mostHeld));
        Pass pass = Pass.inLanes(source, known, sink, progress);
        if (source.intact() && pass.isSound(source.count())) {
          return reading(sink, true, pass, source.total());
        }
      }
    }
    S sink = sinks.get();
    try (InputStream in = packed.open()) {
      StreamChunks source = new StreamChunks(new StreamContent(in, mostHeld));
      Pass pass = Pass.of(source, known, sink, progress);
      boolean sound = source.intact() && pass.isSound(source.count());
      return reading(sink, sound, pass, source.total());
    }
  }

  private static <S extends EventSink> Reading<S> reading(
      S sink, boolean sound, Pass pass, long total) {
    return new Reading<>(sink, sound, pass.parts(), pass.bytes(), total);
  }
}
