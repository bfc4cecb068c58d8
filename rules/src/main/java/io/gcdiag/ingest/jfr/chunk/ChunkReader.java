package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.event.RecordingReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads recordings chunk by chunk with code of our own: only the types that somebody asks for are
 * decoded, and only the constants that these refer to.
 *
 * <p>Each chunk stands for itself, so that a bad one costs only itself. Of a cut or unfinished
 * chunk all whole events are read, if its metadata and a constant pool are among them.
 */
public final class ChunkReader implements RecordingReader {

  @Override
  public <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException {
    S sink = sinks.get();
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
      }
    }
    boolean sound = scan.intact() && broken == 0 && whole == scan.chunks().size();
    return new Reading<>(sink, sound, whole, broken, bytes);
  }
}
