package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.RowIndex;
import java.util.Arrays;
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

  /** Moves to the next chunk. */
  void nextChunk() {
    chunk++;
  }

  /** With other types, the same bytes may mean something else. */
  private StackLayout layout(Type type) {
    if (layout.isEmpty() || !layout.get().isOf(type)) {
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
   * @param to where it ends
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
}
