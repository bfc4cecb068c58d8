package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.Optional;

/** The chunks of a compressed recording, unpacked on demand and kept in memory one at a time. */
final class StreamChunks implements ChunkSource {

  private final StreamContent content;
  private final ChunkWalk walk;
  private int count;
  private boolean ended;

  StreamChunks(StreamContent content) {
    this.content = content;
    this.walk = new ChunkWalk(content);
  }

  @Override
  public Optional<Located> next() throws IOException {
    content.release(walk.offset());
    Optional<Chunk> chunk = walk.next();
    if (chunk.isEmpty()) {
      ended = true;
      return Optional.empty();
    }
    count++;
    return Optional.of(new Located(chunk.get(), content.held(walk.offset())));
  }

  /** Number of chunks so far. */
  int count() {
    return count;
  }

  /** Whether the end was reached, and no header showed damage. */
  boolean intact() {
    return ended && walk.intact();
  }

  /** Total size, unpacked. */
  long total() throws IOException {
    return content.drain();
  }
}
