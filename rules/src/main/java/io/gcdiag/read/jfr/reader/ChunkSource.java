package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Gives the chunks of a recording, one after another. */
interface ChunkSource {

  /**
   * A chunk and its bytes.
   *
   * @param content has at least those of the chunk
   */
  record Located(Chunk chunk, Content content) {}

  /**
   * The next chunk; the caller is done with the one before.
   *
   * @return empty if there is none any more
   */
  Optional<Located> next() throws IOException;

  /** Those of a file, whose bytes are at hand at any time. */
  static ChunkSource of(List<Chunk> chunks, Content content) {
    Iterator<Chunk> rest = chunks.iterator();
    return () -> rest.hasNext() ? Optional.of(new Located(rest.next(), content)) : Optional.empty();
  }
}
