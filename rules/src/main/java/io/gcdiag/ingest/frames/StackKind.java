package io.gcdiag.ingest.frames;

import io.gcdiag.evidence.WaitKind;
import java.util.List;

/**
 * What a stack says about its thread.
 *
 * @param waitsFor what the thread waits for, if it is waiting at all
 * @param name the pool, client library or lock class; empty if there is nothing to name
 * @param requestThread whether its frames mark it as serving a request
 * @param root the outermost frame that says on whose behalf it runs; empty without frames
 * @param top the innermost frame outside the JDK, or the innermost frame of all; empty without
 *     frames
 * @param frames all frames, innermost first; empty if they were too many to be kept
 */
public record StackKind(
    WaitKind waitsFor,
    String name,
    boolean requestThread,
    String root,
    String top,
    List<String> frames) {

  /** Copies the frames. */
  public StackKind {
    frames = List.copyOf(frames);
  }

  /** The same, for a stack of which only the meaning is kept. */
  public StackKind withoutFrames() {
    return new StackKind(waitsFor, name, requestThread, root, top, List.of());
  }
}
