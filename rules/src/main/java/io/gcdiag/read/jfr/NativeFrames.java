package io.gcdiag.read.jfr;

import java.util.List;

/**
 * Frames of libraries and of the kernel, which async-profiler puts on top of a thread's Java
 * frames: {@code libc.so.6.__memset_avx2}, {@code libjvm.so.ObjectMonitor::enter}, {@code
 * .finish_task_switch}. HotSpot records none.
 */
final class NativeFrames {

  private static final String SHARED_OBJECT = ".so.";

  private NativeFrames() {}

  /** Whether a frame is native; for a library, its file is in place of a class. */
  static boolean isOne(String frame) {
    return frame.startsWith(".")
        || frame.startsWith("[")
        || (frame.startsWith("lib") || frame.startsWith("ld-")) && frame.contains(SHARED_OBJECT);
  }

  /** The frames from the innermost Java frame on; all frames if there is none. */
  static List<String> without(List<String> frames) {
    int java = 0;
    while (java < frames.size() && isOne(frames.get(java))) {
      java++;
    }
    return java == 0 || java == frames.size() ? frames : frames.subList(java, frames.size());
  }
}
