package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.util.Optional;

/** The chunks of a packed recording, unpacked when they are asked for and held one at a time. */
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

  /** How many chunks there were. */
  int count() {
    return count;
  }

  /** Whether all has come, and nothing in the headers spoke of damage. */
  boolean intact() {
    return ended && walk.intact();
  }

  /** How long all of it is, unpacked. */
  long total() throws IOException {
    return content.drain();
  }
}
