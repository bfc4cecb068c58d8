package io.gcdiag.read.jfr.reader;

import java.util.Arrays;
import java.util.List;

/** A stack whose frames are converted to text on first access. */
final class FrameTrace extends Trace {

  private final int hash;
  private final List<String> frames;
  private final int[] lines;
  private final boolean interpreted;
  private final Names methods;
  private final boolean cut;

  /**
   * A stack.
   *
   * @param names its frames, innermost first; the array may be longer
   * @param lines the lines they were at
   * @param methods known facts about methods
   */
  FrameTrace(
      int hash,
      String[] names,
      int[] lines,
      int depth,
      boolean interpreted,
      boolean cut,
      Names methods) {
    this.hash = hash;
    this.frames = List.of(Arrays.copyOf(names, depth));
    this.lines = Arrays.copyOf(lines, depth);
    this.interpreted = interpreted;
    this.methods = methods;
    this.cut = cut;
  }

  /** Whether it has these frames. Names are unique objects, so comparing references is enough. */
  boolean is(int otherHash, String[] names, int depth, boolean inInterpreter, boolean isCut) {
    if (hash != otherHash
        || frames.size() != depth
        || interpreted != inInterpreter
        || cut != isCut) {
      return false;
    }
    for (int i = 0; i < depth; i++) {
      if (!frames.get(i).equals(names[i])) {
        return false;
      }
    }
    return true;
  }

  /** Merges the lines of a stack with the same frames: a frame with different lines has no line. */
  void isAlsoAt(int[] others) {
    for (int i = 0; i < lines.length; i++) {
      if (lines[i] != others[i]) {
        lines[i] = NO_LINE;
      }
    }
  }

  @Override
  public int line(int frame) {
    return lines[frame];
  }

  @Override
  public boolean inMonitor(int frame) {
    return methods.isSynchronized(frames.get(frame));
  }

  @Override
  public List<String> frames() {
    return frames;
  }

  @Override
  public boolean interpreted() {
    return interpreted;
  }

  @Override
  public boolean cut() {
    return cut;
  }
}
