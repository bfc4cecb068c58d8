package io.gcdiag.ingest.jfr.chunk;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/**
 * The chunks of a packed recording, unpacked when somebody first asks for them and held until all
 * have gone on: one at a time, and a small one beside it, so that one thread may be ahead.
 */
final class StreamChunks implements ChunkSource {

  /** Beside a chunk up to this size the next one is held; the JVM ends chunks at 12 MB. */
  private static final long SMALL = 32L << 20;

  private final StreamContent content;
  private final ChunkWalk walk;
  private final Deque<Located> held = new ArrayDeque<>();

  /** By lane: the number of the chunk that it is at. */
  private final int[] places;

  /** The number of the first chunk held, and of the next one to come. */
  private int first;

  private int next;
  private boolean ended;

  StreamChunks(StreamContent content, int lanes) {
    this.content = content;
    this.walk = new ChunkWalk(content);
    this.places = new int[lanes];
  }

  @Override
  public synchronized Optional<Located> get(int lane, int number) throws IOException {
    move(lane, number);
    while (number == next && !ended) {
      if (held.isEmpty() || held.size() == 1 && held.getFirst().chunk().size() <= SMALL) {
        take();
      } else {
        await();
      }
    }
    return number < next ? held.stream().skip((long) number - first).findFirst() : Optional.empty();
  }

  private void take() throws IOException {
    content.release(walk.offset());
    try {
      Optional<Chunk> chunk = walk.next();
      ended = chunk.isEmpty();
      if (!ended) {
        held.add(new Located(chunk.get(), content.held(walk.offset())));
        next++;
      }
    } catch (IOException e) {
      ended = true;
      throw e;
    } finally {
      notifyAll();
    }
  }

  private void await() throws IOException {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a recording was read", e);
    }
  }

  @Override
  public synchronized void leave(int lane) {
    move(lane, Integer.MAX_VALUE);
  }

  private void move(int lane, int number) {
    places[lane] = number;
    int behind = Arrays.stream(places).min().orElse(0);
    while (first < behind && !held.isEmpty()) {
      held.removeFirst();
      first++;
    }
    notifyAll();
  }

  /** How many chunks there were. */
  synchronized int count() {
    return next;
  }

  /** Whether all has come, and nothing in the headers spoke of damage. */
  synchronized boolean intact() {
    return ended && walk.intact();
  }

  /** How long all of it is, unpacked. */
  synchronized long total() throws IOException {
    return content.drain();
  }
}
