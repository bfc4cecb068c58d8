package io.gcdiag.read.jfr.reader;

/**
 * One object for each stack, however many chunks have it: what was found out about it in one chunk
 * holds in all. An open hash table, as every stack of every chunk is looked up.
 */
final class Traces {

  /** Services have some thousands of distinct stacks; more are new ones in each chunk. */
  private static final int MOST = 20_000;

  /** A power of two, far from full. */
  private static final int SIZE = 1 << 16;

  private final FrameTrace[] known = new FrameTrace[SIZE];
  private final Names names;
  private int count;

  Traces(Names names) {
    this.names = names;
  }

  /**
   * The stack of these frames.
   *
   * @param frames their names, one object for each name
   * @param lines the lines they were at
   * @param depth how many of them there are
   */
  FrameTrace one(String[] frames, int[] lines, int depth, boolean interpreted, boolean cut) {
    int hash = interpreted ? 1 : 0;
    for (int i = 0; i < depth; i++) {
      hash = hash * 31 + frames[i].hashCode();
    }
    // The lower half alone says little, as a sum of products by 31.
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
