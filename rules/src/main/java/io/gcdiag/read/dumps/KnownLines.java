package io.gcdiag.read.dumps;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A cache of lines with frames. Threads of one pool are at the same few places, also in the next
 * dump: a million lines contain only some thousand different ones.
 */
public final class KnownLines {

  private static final int MOST = 20_000;

  private final Map<String, Optional<FrameText.Frame>> frames = new HashMap<>();

  Map<String, Optional<FrameText.Frame>> frames() {
    return frames;
  }

  void put(String line, Optional<FrameText.Frame> frame) {
    if (frames.size() < MOST) {
      frames.put(line, frame);
    }
  }
}
