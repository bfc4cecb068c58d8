package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.RowIndex;
import io.gcdiag.read.jfr.reader.Constants.Names;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A cache of stacks by their encoded bytes. A JVM never changes the numbers of its methods, so a
 * stack that appears again in a later chunk has the same bytes and need not be decoded again. Each
 * method's meaning is verified once per chunk, because chunks of other JVMs may follow.
 */
final class KnownStacks {

  /** Services have some thousands of distinct stacks; JFR's own limit of depth is 64 frames. */
  private static final int MOST = 20_000;

  private static final int MOST_BYTES = 8 << 20;

  /** A power of two, large enough to keep the table sparse. */
  private static final int SIZE = 1 << 16;

  private final Traces traces;
  private final CRC32 checksum = new CRC32();
  private final Known[] table = new Known[SIZE];
  private int count;
  private int bytes;
  private RowIndex methods = new RowIndex();

  /** By the row of the method: its name (empty without one), and the chunk it was last seen in. */
  private String[] names = {};

  private int[] seenIn = {};
  private int chunk;
  private Optional<StackLayout> layout = Optional.empty();

  KnownStacks(Names names) {
    this.traces = new Traces(names);
  }

  /**
   * A stack.
   *
   * @param methods the rows of its methods
   * @param kind the number of the innermost frame's kind
   */
  private record Known(int hash, byte[] bytes, int[] methods, long kind, FrameTrace trace) {
    boolean is(int otherHash, byte[] data, int from, int to) {
      return hash == otherHash && Arrays.equals(bytes, 0, bytes.length, data, from, to);
    }
  }

  void nextChunk() {
    chunk++;
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
    Arrays.fill(table, null);
    count = 0;
    bytes = 0;
    methods = new RowIndex();
  }

  /**
   * The stack that is encoded in some bytes.
   *
   * @param in its bytes
   */
  FrameTrace one(Type type, ChunkBytes in, int from, int to, Constants constants) {
    StackLayout writing = layout(type);
    checksum.reset();
    checksum.update(in.data(), from, to - from);
    int hash = (int) checksum.getValue();
    int slot = hash & SIZE - 1;
    while (table[slot] != null) {
      if (table[slot].is(hash, in.data(), from, to)) {
        if (means(table[slot], writing, constants)) {
          return table[slot].trace();
        }
        forget();
        slot = hash & SIZE - 1;
      } else {
        slot = slot + 1 & SIZE - 1;
      }
    }
    in.at(from);
    StackFrames frames = writing.read(in, constants);
    FrameTrace trace = frames.trace(traces);
    if (count < MOST && bytes + to - from <= MOST_BYTES) {
      byte[] copy = Arrays.copyOfRange(in.data(), from, to);
      table[slot] = new Known(hash, copy, rows(frames), frames.kind(), trace);
      count++;
      bytes += copy.length;
    }
    return trace;
  }

  private int[] rows(StackFrames frames) {
    int[] rows = new int[frames.methods().length];
    for (int i = 0; i < rows.length; i++) {
      int row = methods.row(frames.methods()[i]);
      rows[i] = row;
      if (row >= names.length) {
        names = Arrays.copyOf(names, Math.max(Long.SIZE, 2 * row));
        seenIn = Arrays.copyOf(seenIn, names.length);
      }
      names[row] = frames.names()[i];
      seenIn[row] = chunk;
    }
    return rows;
  }

  /** Whether the numbers in a stack's bytes mean the same in this chunk as before. */
  private boolean means(Known known, StackLayout writing, Constants constants) {
    for (int row : known.methods()) {
      if (seenIn[row] != chunk) {
        String name = writing.name(methods.key(row), constants);
        if (!name.equals(names[row])) {
          return false;
        }
        seenIn[row] = chunk;
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
      FrameTrace trace = traces.one(known, knownLines, depth, interpreted, cut);
      trace.seenAt(index);
      return trace;
    }
  }

  /**
   * Interns stacks across all chunks, so that notes made in one chunk are valid in all. An open
   * hash table, because every stack of every chunk is looked up.
   */
  private static final class Traces {

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

  /** A stack that is the same object in all chunks. */
  private static final class FrameTrace extends Trace {

    private final int hash;
    private final Names methods;

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
      super(List.of(Arrays.copyOf(names, depth)), Arrays.copyOf(lines, depth), interpreted, cut);
      this.hash = hash;
      this.methods = methods;
    }

    /** Whether it has these frames. Names are unique objects, so comparing references is enough. */
    boolean is(int otherHash, String[] names, int depth, boolean inInterpreter, boolean isCut) {
      if (hash != otherHash
          || frames.size() != depth
          || interpreted() != inInterpreter
          || cut() != isCut) {
        return false;
      }
      for (int i = 0; i < depth; i++) {
        if (!frames.get(i).equals(names[i])) {
          return false;
        }
      }
      return true;
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
