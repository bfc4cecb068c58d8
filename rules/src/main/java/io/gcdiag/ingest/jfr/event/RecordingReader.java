package io.gcdiag.ingest.jfr.event;

import io.gcdiag.ingest.jfr.chunk.ChunkScan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Reads the events of a recording file. */
public interface RecordingReader {

  /**
   * Reads as much of a file as can be read.
   *
   * @param scan the file's chunks
   * @param sinks gives a sink with nothing in it; a reader that has to begin anew asks again
   * @throws IOException if the file itself cannot be read
   */
  <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException;

  /**
   * What was read.
   *
   * @param sink holds the events
   * @param sound whether nothing was damaged; then the numbers below do not matter
   * @param wholeChunks chunks of which nothing is missing
   * @param brokenChunks chunks that were read up to some damage
   * @param bytes how much was read
   */
  record Reading<S extends EventSink>(
      S sink, boolean sound, int wholeChunks, int brokenChunks, long bytes) {}
}
