package io.gcdiag.read.frames;

import io.gcdiag.evidence.threads.WaitKind;
import java.util.List;
import java.util.Optional;

/**
 * What a stack says about its thread.
 *
 * @param waitsFor what the thread waits for, if it is waiting at all
 * @param name the pool, client library, limiter or lock class; empty if there is nothing to name
 * @param requestThread whether its frames mark it as serving a request
 * @param root the outermost frame that says on whose behalf it runs; empty without frames
 * @param top the innermost frame outside the JDK and outside a limiter or a client between two
 *     tries that the thread waits in, or the innermost frame of all; empty without frames
 * @param overflow whether the thread is at work that an executor has neither a thread nor room for
 * @param frames all frames, innermost first; empty if they were too many to be kept
 */
public record StackKind(
    WaitKind waitsFor,
    String name,
    boolean requestThread,
    String root,
    String top,
    boolean overflow,
    List<String> frames) {

  public StackKind {
    frames = List.copyOf(frames);
  }

  /** The limiter, or the client between two tries, that the thread waits in, if it does. */
  public Optional<String> limiter() {
    return waitsFor == WaitKind.SLEEP && !name.isEmpty() ? Optional.of(name) : Optional.empty();
  }

  /** The same, for a stack of which only the meaning is kept. */
  public StackKind withoutFrames() {
    return new StackKind(waitsFor, name, requestThread, root, top, overflow, List.of());
  }
}
