package io.gcdiag.read.jfr.reader;

import java.util.Arrays;
import java.util.Optional;

/** How a chunk's JVM encodes stacks. */
final class StackLayout {

  private static final String FRAMES = "frames";
  private static final String INTERPRETED = "Interpreted";

  private static final long NO_KIND = -1;

  private final Type stack;

  /** Empty if stacks have no known type of frames. */
  private final Optional<Type> frame;

  private final int method;
  private final int java;
  private final int kind;
  private final int line;

  /** Index of the stack's field, not of its frames'. */
  private final int truncated;

  /**
   * For a type of stacks.
   *
   * @param stack the type
   */
  StackLayout(Type stack) {
    this.stack = stack;
    frame = stack.field(FRAMES).filter(list -> list.kind() == Kind.ARRAY).map(Field::type);
    method = place("method");
    java = place("javaFrame");
    kind = place("type");
    line = place("lineNumber");
    truncated = stack.place("truncated");
  }

  private int place(String field) {
    return frame.map(type -> type.place(field)).orElse(Type.NONE);
  }

  boolean isOf(Type type) {
    return stack == type;
  }

  /** Reads the stack at the position of the bytes. */
  StackFrames read(ChunkBytes in, Constants constants) {
    if (frame.isEmpty()) {
      return new StackFrames(new long[0], new String[0], new int[0], NO_KIND, false, false);
    }
    boolean cut = false;
    for (int i = 0; i < stack.place(FRAMES); i++) {
      if (i == truncated) {
        cut = stack.fields()[i].read(in) != 0;
      } else {
        stack.fields()[i].skip(in);
      }
    }
    // All frames are read before any is converted, because the names may be in the same bytes.
    long[] methods = new long[in.readLength()];
    int[] lines = new int[methods.length];
    long[] values = new long[frame.get().fields().length];
    long innermost = NO_KIND;
    int count = 0;
    for (int i = 0; i < methods.length; i++) {
      frame.get().read(in, values);
      if (method != Type.NONE && (java == Type.NONE || values[java] != 0)) {
        lines[count] =
            line == Type.NONE ? Trace.NO_LINE : Math.max(Trace.NO_LINE, (int) values[line]);
        methods[count++] = values[method];
      }
      if (i == 0 && kind != Type.NONE) {
        innermost = values[kind];
      }
    }
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = name(methods[i], constants);
    }
    return new StackFrames(
        Arrays.copyOf(methods, count),
        names,
        Arrays.copyOf(lines, count),
        innermost,
        isInterpreted(innermost, constants),
        cut);
  }

  /** The name of a method; empty if the chunk does not contain it. */
  String name(long number, Constants constants) {
    return text(method, number, constants).orElse("");
  }

  /** Whether frames of that kind run in the interpreter. */
  boolean isInterpreted(long number, Constants constants) {
    return text(kind, number, constants).filter(INTERPRETED::equals).isPresent();
  }

  private Optional<String> text(int place, long number, Constants constants) {
    return place == Type.NONE
        ? Optional.empty()
        : constants.get(frame.orElseThrow().fields()[place].type(), number).text();
  }
}
