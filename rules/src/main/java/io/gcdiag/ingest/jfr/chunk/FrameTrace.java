package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A stack, spelled out when it is first asked for. */
record FrameTrace(List<String> frames, boolean interpreted) implements Trace {

  private static final String INTERPRETED = "Interpreted";

  /** Reads the frames of a stack. */
  static FrameTrace of(Values stack, Constants constants) {
    Optional<Field> list = stack.structure().field("frames");
    if (list.isEmpty() || list.get().kind() != Kind.ARRAY) {
      return new FrameTrace(List.of(), false);
    }
    Type frame = list.get().type();
    int method = frame.place("method");
    int java = frame.place("javaFrame");
    int kind = frame.place("type");
    Field[] fields = frame.fields();
    Bytes in = stack.bytes("frames").orElseThrow();
    // A chunk has some hundred thousand frames: all are read before any is spelled, as the names
    // may stand in the same bytes.
    long[] methods = new long[in.readLength()];
    long innermost = 0;
    int count = 0;
    for (int i = 0; i < methods.length; i++) {
      long called = 0;
      boolean isJava = true;
      for (int place = 0; place < fields.length; place++) {
        long value = fields[place].read(in);
        if (place == method) {
          called = value;
        } else if (place == java) {
          isJava = value != 0;
        } else if (place == kind && i == 0) {
          innermost = value;
        }
      }
      if (isJava) {
        methods[count++] = called;
      }
    }
    List<String> frames = new ArrayList<>(count);
    for (int i = 0; i < count && method != Type.NONE; i++) {
      constants.get(fields[method].type(), methods[i]).text().ifPresent(frames::add);
    }
    boolean interpreted =
        methods.length > 0
            && kind != Type.NONE
            && constants
                .get(fields[kind].type(), innermost)
                .text()
                .filter(INTERPRETED::equals)
                .isPresent();
    return new FrameTrace(List.copyOf(frames), interpreted);
  }

  /** Two stacks of one chunk are the same if they are one object. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
