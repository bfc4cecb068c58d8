package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.Trace;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A stack, spelled out when it is first asked for. */
final class FrameTrace extends Trace {

  private static final String INTERPRETED = "Interpreted";

  private final int hash;
  private final List<String> frames;
  private final boolean interpreted;

  /**
   * A stack.
   *
   * @param names its frames, innermost first, and room for more
   */
  FrameTrace(int hash, String[] names, int depth, boolean interpreted) {
    this.hash = hash;
    this.frames = List.of(Arrays.copyOf(names, depth));
    this.interpreted = interpreted;
  }

  /** Whether it has these frames; names are one object each, so that a look at that will do. */
  boolean is(int otherHash, String[] names, int depth, boolean inInterpreter) {
    if (hash != otherHash || frames.size() != depth || interpreted != inInterpreter) {
      return false;
    }
    for (int i = 0; i < depth; i++) {
      if (!frames.get(i).equals(names[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public List<String> frames() {
    return frames;
  }

  @Override
  public boolean interpreted() {
    return interpreted;
  }

  /** Reads the frames of a stack. */
  static FrameTrace of(Values stack, Constants constants) {
    Optional<Field> list = stack.structure().field("frames");
    if (list.isEmpty() || list.get().kind() != Kind.ARRAY) {
      return constants.traces().one(new String[0], 0, false);
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
    String[] frames = new String[count];
    int depth = 0;
    for (int i = 0; i < count && method != Type.NONE; i++) {
      Optional<String> name = constants.get(fields[method].type(), methods[i]).text();
      if (name.isPresent()) {
        frames[depth++] = name.get();
      }
    }
    boolean interpreted =
        methods.length > 0
            && kind != Type.NONE
            && constants
                .get(fields[kind].type(), innermost)
                .text()
                .filter(INTERPRETED::equals)
                .isPresent();
    return constants.traces().one(frames, depth, interpreted);
  }
}
