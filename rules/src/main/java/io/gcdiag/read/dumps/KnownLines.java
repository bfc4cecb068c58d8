package io.gcdiag.read.dumps;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Lines of the JVM's dumps that show a frame. Threads of one pool stand at the same few places, and
 * so they do in the next dump: of a million lines some thousand are different.
 */
public final class KnownLines {

  private static final int MOST = 20_000;

  private final Map<String, Optional<FrameText.Frame>> frames = new HashMap<>();

  /** What each line shows. */
  Map<String, Optional<FrameText.Frame>> frames() {
    return frames;
  }

  void put(String line, Optional<FrameText.Frame> frame) {
    if (frames.size() < MOST) {
      frames.put(line, frame);
    }
  }
}
