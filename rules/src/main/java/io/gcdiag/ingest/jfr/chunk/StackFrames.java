package io.gcdiag.ingest.jfr.chunk;

/**
 * The frames of a stack as its bytes say.
 *
 * @param methods the numbers of the Java frames' methods, innermost first
 * @param names their names; empty for a method that the chunk does not have
 * @param kind the number of the kind of the innermost frame
 * @param interpreted whether that frame ran in the interpreter
 */
record StackFrames(long[] methods, String[] names, long kind, boolean interpreted) {

  /** The stack of these frames, which many may share. */
  FrameTrace trace(Traces traces) {
    String[] known = new String[names.length];
    int depth = 0;
    for (String name : names) {
      if (!name.isEmpty()) {
        known[depth++] = name;
      }
    }
    return traces.one(known, depth, interpreted);
  }
}
