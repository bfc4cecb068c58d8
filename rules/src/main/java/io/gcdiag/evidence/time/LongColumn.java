package io.gcdiag.evidence.time;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * A column of numbers for a long table. A million rows have to fit into a small heap. The numbers
 * of a column are mostly multiples of one step and close to their neighbours; while that is so, a
 * segment of rows takes four bytes per row, otherwise eight. Numbers are never rounded, and a
 * segment without numbers takes no memory.
 */
public final class LongColumn {

  /** The value of a row without a number. */
  public static final long NONE = Long.MIN_VALUE;

  /** Rows per segment. */
  public static final int SEGMENT = 1 << LongColumn.BITS;

  private static final int BITS = 10;
  private static final int MASK = SEGMENT - 1;

  /** Initial number of rows; a folder may contain ten thousand short files. */
  private static final int FEW = 4;

  /**
   * The code of a segment's first number; other codes count steps from there, and 0 means no
   * number.
   */
  private static final int FIRST_CODE = 1 << Integer.SIZE - 2;

  private static final long[] NO_BASES = {};
  private static final int[][] NO_NEAR = {};
  private static final long[][] NO_FAR = {};

  private final long step;
  private final double perNumber;

  /** The number with code 0 of each segment. */
  private long[] bases = NO_BASES;

  private int[][] near = NO_NEAR;

  /**
   * The numbers themselves, for a segment in which one is too far away or no multiple of the step.
   */
  private long[][] far = NO_FAR;

  /** Number of rows that the segments have space for. */
  private int room;

  private long bytes;

  /**
   * An empty column.
   *
   * @param step most numbers differ by multiples of this, from 1
   */
  public LongColumn(long step) {
    this.step = step;
    this.perNumber = 1.0 / step;
  }

  /** The number of a row, or {@link #NONE}. */
  public long get(int row) {
    if (row >= room) {
      return NONE;
    }
    int segment = row >> BITS;
    int[] codes = near[segment];
    if (codes == null) {
      return whole(segment, row);
    }
    int code = codes[row & MASK];
    return code == 0 ? NONE : bases[segment] + step * code;
  }

  private long whole(int segment, int row) {
    long[] numbers = far[segment];
    return numbers == null ? NONE : numbers[row & MASK];
  }

  /** Sets or removes the number of a row. */
  public void set(int row, long number) {
    int segment = row >> BITS;
    if (row >= room || near[segment] == null && far[segment] == null) {
      if (number == NONE) {
        return;
      }
      makeRoom(segment, row & MASK, number);
    }
    int[] codes = near[segment];
    if (codes == null) {
      far[segment][row & MASK] = number;
    } else if (number == NONE) {
      codes[row & MASK] = 0;
    } else {
      int code = (int) Math.rint((number - bases[segment]) * perNumber);
      if (code != 0 && bases[segment] + step * code == number) {
        codes[row & MASK] = code;
      } else {
        widen(segment);
        far[segment][row & MASK] = number;
      }
    }
  }

  private void makeRoom(int segment, int at, long number) {
    if (segment >= bases.length) {
      int segments = Math.max(segment + 1, 2 * bases.length);
      bases = Arrays.copyOf(bases, segments);
      near = Arrays.copyOf(near, segments);
      far = Arrays.copyOf(far, segments);
    }
    if (segment > 0 && room > 0 && room < SEGMENT) {
      makeRoom(0, MASK, NONE);
    }
    int length = SEGMENT;
    if (segment == 0 && room < SEGMENT) {
      length = Math.min(SEGMENT, Math.max(FEW, Math.max(2 * room, at + 1)));
    }
    if (far[segment] != null) {
      int old = far[segment].length;
      far[segment] = Arrays.copyOf(far[segment], length);
      Arrays.fill(far[segment], old, length, NONE);
      bytes += (long) Long.BYTES * (length - old);
    } else if (near[segment] != null) {
      bytes += (long) Integer.BYTES * (length - near[segment].length);
      near[segment] = Arrays.copyOf(near[segment], length);
    } else {
      bases[segment] = number - step * FIRST_CODE;
      near[segment] = new int[length];
      bytes += (long) Integer.BYTES * length;
    }
    room = Math.max(room, segment * SEGMENT + length);
  }

  private void widen(int segment) {
    long[] numbers = new long[near[segment].length];
    for (int at = 0; at < numbers.length; at++) {
      numbers[at] = get(segment << BITS | at);
    }
    bytes += (long) (Long.BYTES - Integer.BYTES) * numbers.length;
    near[segment] = null;
    far[segment] = numbers;
  }

  private void free(int segment) {
    bytes -= near[segment] == null ? 0 : (long) Integer.BYTES * near[segment].length;
    bytes -= far[segment] == null ? 0 : (long) Long.BYTES * far[segment].length;
    near[segment] = null;
    far[segment] = null;
  }

  /** Drops the first segment; the row after it becomes the first. */
  public void dropSegment() {
    if (room < SEGMENT) {
      clear();
      return;
    }
    free(0);
    int left = bases.length - 1;
    System.arraycopy(bases, 1, bases, 0, left);
    System.arraycopy(near, 1, near, 0, left);
    System.arraycopy(far, 1, far, 0, left);
    near[left] = null;
    far[left] = null;
    room -= SEGMENT;
  }

  /**
   * Replaces the numbers of the first rows, segment by segment, without a second column.
   *
   * @param number the new number of a row; may read that row's old one
   */
  public void replaceAll(int rows, IntToLongFunction number) {
    for (int first = 0; first < rows; first += SEGMENT) {
      long[] others = new long[Math.min(SEGMENT, rows - first)];
      for (int i = 0; i < others.length; i++) {
        others[i] = number.applyAsLong(first + i);
      }
      if (first < room) {
        free(first >> BITS);
      }
      for (int i = 0; i < others.length; i++) {
        set(first + i, others[i]);
      }
    }
  }

  /** Removes all numbers. */
  public void clear() {
    bases = NO_BASES;
    near = NO_NEAR;
    far = NO_FAR;
    room = 0;
    bytes = 0;
  }

  /** Memory used, in bytes. */
  public long bytes() {
    return bytes;
  }
}
