package io.gcdiag.read.jfr.reader;

/**
 * The decoded frames of a stack.
 *
 * @param methods the numbers of the Java frames' methods, innermost first
 * @param names their names; empty for a method that the chunk does not contain
 * @param lines the lines they were at; {@link io.gcdiag.read.jfr.reader.Trace#NO_LINE} if unknown
 * @param kind the number of the innermost frame's kind
 * @param interpreted whether that frame ran in the interpreter
 * @param cut whether the stack was deeper
 */
record StackFrames(
    long[] methods, String[] names, int[] lines, long kind, boolean interpreted, boolean cut) {

  /** The shared stack with these frames. */
  FrameTrace trace(Traces traces) {
    String[] known = new String[names.length];
    int[] knownLines = new int[names.length];
    int depth = 0;
    for (int i = 0; i < names.length; i++) {
      if (!names[i].isEmpty()) {
        knownLines[depth] = lines[i];
        known[depth++] = names[i];
      }
    }
    return traces.one(known, knownLines, depth, interpreted, cut);
  }
}
