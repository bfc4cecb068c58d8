package io.gcdiag.read.jfr.reader;

import io.gcdiag.read.jfr.reader.Constants.Names;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cache of stacks by their encoded bytes. A JVM never changes the numbers of its methods, so a
 * stack that appears again in a later chunk has the same bytes and need not be decoded again. Each
 * method's meaning is verified once per chunk, because chunks of other JVMs may follow.
 */
final class KnownStacks {

  /** Services have some thousands of distinct stacks; JFR's own limit of depth is 64 frames. */
  private static final int MOST = 20_000;

  private static final int MOST_BYTES = 8 << 20;

  private final Traces traces;

  /** By their bytes. */
  private final Map<ByteBuffer, Known> stacks = new HashMap<>();

  private int bytes;

  /** The names of methods (empty without one), and which of them the present chunk confirmed. */
  private final Map<Long, String> methods = new HashMap<>();

  private final Set<Long> confirmed = new HashSet<>();
  private Optional<StackLayout> layout = Optional.empty();

  KnownStacks(Names names) {
    this.traces = new Traces(names);
  }

  /**
   * A stack.
   *
   * @param methods the numbers of its methods
   * @param kind the number of the innermost frame's kind
   */
  private record Known(long[] methods, long kind, FrameTrace trace) {}

  void nextChunk() {
    confirmed.clear();
  }

  /** With other types, the same bytes may mean something else. */
  private StackLayout layout(Type type) {
    if (layout.isEmpty() || layout.get().stack != type) {
      forget();
      layout = Optional.of(new StackLayout(type));
    }
    return layout.get();
  }

  private void forget() {
    stacks.clear();
    bytes = 0;
    methods.clear();
  }

  /**
   * The stack that is encoded in some bytes.
   *
   * @param in its bytes
   */
  FrameTrace one(Type type, ChunkBytes in, int from, int to, Constants constants) {
    StackLayout writing = layout(type);
    Known known = stacks.get(ByteBuffer.wrap(in.data(), from, to - from));
    if (known != null && means(known, writing, constants)) {
      return known.trace();
    }
    if (known != null) {
      forget();
    }
    in.at(from);
    StackFrames frames = writing.read(in, constants);
    FrameTrace trace = frames.trace(traces);
    if (stacks.size() < MOST && bytes + to - from <= MOST_BYTES) {
      byte[] copy = Arrays.copyOfRange(in.data(), from, to);
      stacks.put(ByteBuffer.wrap(copy), new Known(frames.methods(), frames.kind(), trace));
      bytes += copy.length;
      for (int i = 0; i < frames.names().length; i++) {
        methods.put(frames.methods()[i], frames.names()[i]);
        confirmed.add(frames.methods()[i]);
      }
    }
    return trace;
  }

  /** Whether the numbers in a stack's bytes mean the same in this chunk as before. */
  private boolean means(Known known, StackLayout writing, Constants constants) {
    for (long method : known.methods()) {
      if (confirmed.add(method) && !writing.name(method, constants).equals(methods.get(method))) {
        return false;
      }
    }
    return known.trace().interpreted() == writing.isInterpreted(known.kind(), constants);
  }

  /** How a chunk's JVM encodes stacks. */
  private static final class StackLayout {

    private static final String FRAMES = "frames";

    private static final long NO_KIND = -1;

    private final Type stack;

    /** Empty if stacks have no known type of frames. */
    private final Optional<Type> frame;

    private final int method;
    private final int java;
    private final int kind;
    private final int line;
    private final int index;

    /** Index of the stack's field, not of its frames'. */
    private final int truncated;

    /**
     * For a type of stacks.
     *
     * @param stack the type
     */
    StackLayout(Type stack) {
      this.stack = stack;
      frame = stack.field(FRAMES).filter(list -> list.kind == Kind.ARRAY).map(Field::type);
      method = place("method");
      java = place("javaFrame");
      kind = place("type");
      line = place("lineNumber");
      index = place("bytecodeIndex");
      truncated = stack.place("truncated");
    }

    private int place(String field) {
      return frame.map(type -> type.place(field)).orElse(Type.NONE);
    }

    /** Reads the stack at the position of the bytes. */
    StackFrames read(ChunkBytes in, Constants constants) {
      if (frame.isEmpty()) {
        return new StackFrames(new long[0], new String[0], new int[0], 0, NO_KIND, false, false);
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
      int innermostIndex = 0;
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
          innermostIndex = index == Type.NONE ? 0 : (int) values[index];
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
          innermostIndex,
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
      return text(kind, number, constants).filter("Interpreted"::equals).isPresent();
    }

    private Optional<String> text(int place, long number, Constants constants) {
      return place == Type.NONE
          ? Optional.empty()
          : constants.get(frame.orElseThrow().fields()[place].type(), number).text();
    }
  }

  /**
   * The decoded frames of a stack.
   *
   * @param methods the numbers of the Java frames' methods, innermost first
   * @param names their names; empty for a method that the chunk does not contain
   * @param lines the lines they were at; {@link io.gcdiag.read.jfr.reader.Trace#NO_LINE} if unknown
   * @param index the bytecode index of the innermost frame; 0 if unknown
   * @param kind the number of the innermost frame's kind
   * @param interpreted whether that frame ran in the interpreter
   * @param cut whether the stack was deeper
   */
  private record StackFrames(
      long[] methods,
      String[] names,
      int[] lines,
      int index,
      long kind,
      boolean interpreted,
      boolean cut) {

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
      FrameTrace trace =
          traces.one(
              List.of(Arrays.copyOf(known, depth)),
              Arrays.copyOf(knownLines, depth),
              interpreted,
              cut);
      trace.seenAt(index);
      return trace;
    }
  }

  /** Interns stacks across all chunks, so that notes made in one chunk are valid in all. */
  private static final class Traces {

    private final Map<List<Object>, FrameTrace> known = new HashMap<>();
    private final Names names;

    Traces(Names names) {
      this.names = names;
    }

    /**
     * The interned stack with these frames.
     *
     * @param frames their interned names
     * @param lines the lines they were at
     */
    FrameTrace one(List<String> frames, int[] lines, boolean interpreted, boolean cut) {
      List<Object> key = List.of(frames, interpreted, cut);
      FrameTrace same = known.get(key);
      if (same != null) {
        same.isAlsoAt(lines);
        return same;
      }
      FrameTrace trace = new FrameTrace(frames, lines, interpreted, cut, names);
      if (known.size() < MOST) {
        known.put(key, trace);
      }
      return trace;
    }
  }

  /** A stack that is the same object in all chunks. */
  private static final class FrameTrace extends Trace {

    private final Names methods;

    /**
     * A stack.
     *
     * @param names its frames, innermost first
     * @param lines the lines they were at
     * @param methods known facts about methods
     */
    FrameTrace(List<String> names, int[] lines, boolean interpreted, boolean cut, Names methods) {
      super(names, lines, interpreted, cut);
      this.methods = methods;
    }

    /**
     * Merges the lines of a stack with the same frames: a frame with different lines has no line.
     */
    void isAlsoAt(int[] others) {
      for (int i = 0; i < lines.length; i++) {
        if (lines[i] != others[i]) {
          lines[i] = NO_LINE;
        }
      }
    }

    @Override
    public boolean inMonitor(int frame) {
      return methods.isSynchronized(frames.get(frame));
    }
  }
}
