package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Provides the chunks of a recording, one after another. */
interface ChunkSource {

  /**
   * A chunk and its bytes.
   *
   * @param content contains at least those of the chunk
   */
  record Located(Chunk chunk, Content content) {}

  /**
   * The next chunk; the previous one is no longer used.
   *
   * @return empty after the last one
   */
  Optional<Located> next() throws IOException;

  /** The chunks of a random-access file. */
  static ChunkSource of(List<Chunk> chunks, Content content) {
    Iterator<Chunk> rest = chunks.iterator();
    return () -> rest.hasNext() ? Optional.of(new Located(rest.next(), content)) : Optional.empty();
  }
}
