package io.gcdiag.read.jfr.reader;

import java.util.Arrays;

/** Part of a chunk's bytes, with the positions of the events for another lane. */
final class Batch {

  /** The index of its type, where its content begins, where it ends. */
  private static final int MARKS = 3;

  private static final int FIRST_SIZE = 1 << 12;

  private byte[] data = new byte[EventWindow.SIZE];
  private int[] marks = new int[FIRST_SIZE];
  private int count;
  private boolean compressed;

  byte[] data() {
    return data;
  }

  /** Resets it to that size; a buffer enlarged for one very long event is released. */
  void empty(int size) {
    count = 0;
    if (data.length < size || data.length > EventWindow.SIZE && size <= EventWindow.SIZE) {
      data = new byte[Math.max(size, EventWindow.SIZE)];
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  /**
   * Marks an event.
   *
   * @param type the index of its type
   * @param in positioned after its type
   */
  void add(int type, ChunkBytes in, int end) {
    if (count + MARKS > marks.length) {
      marks = Arrays.copyOf(marks, 2 * marks.length);
    }
    compressed = in.isCompressed();
    marks[count] = type;
    marks[count + 1] = in.at();
    marks[count + 2] = end;
    count += MARKS;
  }

  /** Reads the marked events. */
  void read(LaneRun lane) {
    ChunkBytes in = new ChunkBytes(data, compressed);
    for (int i = 0; i < count; i += MARKS) {
      in.at(marks[i + 1]);
      lane.event(marks[i]).read(in, marks[i + 2]);
    }
  }
}
