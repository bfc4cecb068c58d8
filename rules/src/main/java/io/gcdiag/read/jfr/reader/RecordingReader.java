package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Reads the events of a recording file. */
public interface RecordingReader {

  /**
   * Reads as much of a file as possible.
   *
   * @param sinks creates an empty sink; called again if the reader has to start over
   * @throws IOException if the file itself cannot be read
   */
  <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException;

  /** Provides the bytes of a compressed recording, from its beginning. */
  @FunctionalInterface
  interface Opener {

    InputStream open() throws IOException;
  }

  /**
   * Reads as much of a compressed recording as possible.
   *
   * @param packed may be opened more than once
   * @param sinks creates an empty sink; called again if the reader has to start over
   * @throws IOException if the file itself cannot be read, or is too large to be unpacked here
   */
  <S extends EventSink> Reading<S> readPacked(Opener packed, Supplier<S> sinks) throws IOException;

  /**
   * The result of reading.
   *
   * @param sound whether nothing was damaged
   * @param parts the chunks, in file order
   * @param bytes number of bytes read
   * @param total size, unpacked
   */
  record Reading<S extends EventSink>(
      S sink, boolean sound, List<ReadChunk> parts, long bytes, long total) {

    public Reading {
      parts = List.copyOf(parts);
    }

    public int chunks() {
      return parts.size();
    }

    /** Number of complete chunks. */
    public int wholeChunks() {
      return count(ReadChunk.Outcome.WHOLE);
    }

    /** Number of chunks read before and after damaged parts. */
    public int holedChunks() {
      return count(ReadChunk.Outcome.HOLED);
    }

    /** Number of chunks read up to the first damage. */
    public int brokenChunks() {
      return count(ReadChunk.Outcome.BROKEN);
    }

    /** Number of chunks that were read before, from this file or another one. */
    public int knownChunks() {
      return count(ReadChunk.Outcome.KNOWN);
    }

    private int count(ReadChunk.Outcome outcome) {
      return (int) parts.stream().filter(part -> part.outcome() == outcome).count();
    }
  }
}
