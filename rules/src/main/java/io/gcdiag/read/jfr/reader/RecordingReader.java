package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
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

  /** Gives the bytes of a packed recording, from its beginning. */
  @FunctionalInterface
  interface Opener {

    /** Opens it. */
    InputStream open() throws IOException;
  }

  /**
   * Reads as much of a packed recording as can be read.
   *
   * @param packed may be opened more than once
   * @param sinks gives a sink with nothing in it; a reader that has to begin anew asks again
   * @throws IOException if the file itself cannot be read, or is too much to be unpacked here
   */
  <S extends EventSink> Reading<S> readPacked(Opener packed, Supplier<S> sinks) throws IOException;

  /**
   * What was read.
   *
   * @param sink holds the events
   * @param sound whether nothing was damaged
   * @param parts the chunks that there are, in the order of the file
   * @param bytes how much was read
   * @param total how much there is, unpacked
   */
  record Reading<S extends EventSink>(
      S sink, boolean sound, List<ReadChunk> parts, long bytes, long total) {

    /** Copies the list. */
    public Reading {
      parts = List.copyOf(parts);
    }

    /** How many chunks there are. */
    public int chunks() {
      return parts.size();
    }

    /** Those of which nothing is missing. */
    public int wholeChunks() {
      return count(ReadChunk.Outcome.WHOLE);
    }

    /** Those that were read before and behind some damage. */
    public int holedChunks() {
      return count(ReadChunk.Outcome.HOLED);
    }

    /** Those that were read up to some damage. */
    public int brokenChunks() {
      return count(ReadChunk.Outcome.BROKEN);
    }

    /** Those that had been read before, from this file or another one. */
    public int knownChunks() {
      return count(ReadChunk.Outcome.KNOWN);
    }

    private int count(ReadChunk.Outcome outcome) {
      return (int) parts.stream().filter(part -> part.outcome() == outcome).count();
    }
  }
}
