package io.gcdiag.ingest.jfr.chunk;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Gives the chunks of a recording to one or several threads, each of which takes them in turn. */
interface ChunkSource {

  /**
   * A chunk and its bytes.
   *
   * @param content has at least those of the chunk
   */
  record Located(Chunk chunk, Content content) {}

  /**
   * The chunk with a number.
   *
   * @param lane who asks; it is done with the chunk before
   * @return empty if there is none any more
   */
  Optional<Located> get(int lane, int number) throws IOException;

  /** Somebody asks for no more. */
  void leave(int lane);

  /** Those of a file, whose bytes are at hand at any time. */
  static ChunkSource of(List<Chunk> chunks, Content content) {
    return new ChunkSource() {
      @Override
      public Optional<Located> get(int lane, int number) {
        return number < chunks.size()
            ? Optional.of(new Located(chunks.get(number), content))
            : Optional.empty();
      }

      @Override
      public void leave(int lane) {
        // Nobody waits for anybody.
      }
    };
  }
}
