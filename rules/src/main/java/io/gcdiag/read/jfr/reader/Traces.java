package io.gcdiag.read.jfr.reader;

/**
 * Interns stacks across all chunks, so that notes made in one chunk are valid in all. An open hash
 * table, because every stack of every chunk is looked up.
 */
final class Traces {

  /**
   * Services have some thousands of distinct stacks; beyond this number stacks are no longer
   * interned.
   */
  private static final int MOST = 20_000;

  /** A power of two, large enough to keep the table sparse. */
  private static final int SIZE = 1 << 16;

  private final FrameTrace[] known = new FrameTrace[SIZE];
  private final Names names;
  private int count;

  Traces(Names names) {
    this.names = names;
  }

  /**
   * The interned stack with these frames.
   *
   * @param frames their interned names
   * @param lines the lines they were at
   * @param depth number of frames
   */
  FrameTrace one(String[] frames, int[] lines, int depth, boolean interpreted, boolean cut) {
    int hash = interpreted ? 1 : 0;
    for (int i = 0; i < depth; i++) {
      hash = hash * 31 + frames[i].hashCode();
    }
    // The hash is a sum of products by 31, so its lower half alone is a poor hash.
    int slot = (hash ^ hash >>> 16) & SIZE - 1;
    while (known[slot] != null) {
      if (known[slot].is(hash, frames, depth, interpreted, cut)) {
        known[slot].isAlsoAt(lines);
        return known[slot];
      }
      slot = slot + 1 & SIZE - 1;
    }
    FrameTrace trace = new FrameTrace(hash, frames, lines, depth, interpreted, cut, names);
    if (count < MOST) {
      known[slot] = trace;
      count++;
    }
    return trace;
  }
}
