package io.gcdiag.evidence.time;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * One number for each row of a long table. A million rows have to fit into a small heap, and the
 * numbers of a column are mostly multiples of one step and near those beside them: a segment of
 * rows takes four bytes for each of them as long as that holds, and eight otherwise. No number is
 * ever rounded, and a segment in which no row has a number takes nothing.
 */
public final class LongColumn {

  /** What a row has that was never given a number. */
  public static final long NONE = Long.MIN_VALUE;

  /** Rows of a segment. */
  public static final int SEGMENT = 1 << LongColumn.BITS;

  private static final int BITS = 10;
  private static final int MASK = SEGMENT - 1;

  /** Rows that there is room for at first: a folder may hold ten thousand short files. */
  private static final int FEW = 4;

  /**
   * The code of a segment's first number. The codes of the others count steps from there, and no
   * number at all is 0.
   */
  private static final int FIRST_CODE = 1 << Integer.SIZE - 2;

  private static final long[] NO_BASES = {};
  private static final int[][] NO_NEAR = {};
  private static final long[][] NO_FAR = {};

  private final long step;
  private final double perNumber;

  /** The number in each segment that would have the code 0. */
  private long[] bases = NO_BASES;

  private int[][] near = NO_NEAR;

  /** The numbers themselves, of a segment in which one is too far or is no multiple. */
  private long[][] far = NO_FAR;

  /** Rows that have a place in their segment, if it has any. */
  private int room;

  private long bytes;

  /**
   * A column without a number.
   *
   * @param step what the numbers mostly differ by multiples of, from 1
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

  /** Gives a row its number, or takes it away. */
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

  /** Lets go of the first segment: the row after it becomes the first. */
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
   * Gives the first rows other numbers, segment by segment: there is never a second column.
   *
   * @param number the number of a row; may ask for that row's old one
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

  /** Lets go of all numbers. */
  public void clear() {
    bases = NO_BASES;
    near = NO_NEAR;
    far = NO_FAR;
    room = 0;
    bytes = 0;
  }

  /** What the numbers take, in bytes. */
  public long bytes() {
    return bytes;
  }
}
