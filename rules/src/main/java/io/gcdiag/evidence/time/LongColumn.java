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

  /** Steps that fit; one number is left for rows without, see {@link #near}. */
  private static final long MOST_STEPS = Integer.MAX_VALUE - 1L;

  private static final long[] NO_BASES = {};
  private static final int[][] NO_NEAR = {};
  private static final long[][] NO_FAR = {};

  private final long step;
  private final double perNumber;

  /** The first number of each segment, from which the steps of the others count. */
  private long[] bases = NO_BASES;

  /** How many steps from the base: n and more as n + 1, less as they are, and 0 for no number. */
  private int[][] near = NO_NEAR;

  /** The numbers themselves, of a segment in which one is too far or is no multiple. */
  private long[][] far = NO_FAR;

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
    int segment = row >>> BITS;
    if (segment >= bases.length) {
      return NONE;
    }
    int at = row & MASK;
    int[] steps = near[segment];
    if (steps != null) {
      int code = at < steps.length ? steps[at] : 0;
      return code == 0 ? NONE : bases[segment] + step * (code - (code > 0 ? 1 : 0));
    }
    long[] whole = far[segment];
    return whole == null || at >= whole.length ? NONE : whole[at];
  }

  /** Gives a row its number, or takes it away. */
  public void set(int row, long number) {
    int segment = row >>> BITS;
    int at = row & MASK;
    if (segment >= bases.length || at >= length(segment)) {
      if (number == NONE) {
        return;
      }
      makeRoom(segment, at, number);
    }
    int[] steps = near[segment];
    if (steps == null) {
      far[segment][at] = number;
    } else if (number == NONE) {
      steps[at] = 0;
    } else {
      long count = (long) Math.rint((number - bases[segment]) * perNumber);
      boolean fits = bases[segment] + count * step == number && Math.abs(count) < MOST_STEPS;
      if (fits) {
        steps[at] = (int) (count >= 0 ? count + 1 : count);
      } else {
        widen(segment);
        far[segment][at] = number;
      }
    }
  }

  private int length(int segment) {
    if (near[segment] != null) {
      return near[segment].length;
    }
    return far[segment] == null ? 0 : far[segment].length;
  }

  private void makeRoom(int segment, int at, long number) {
    if (segment >= bases.length) {
      int room = Math.max(segment + 1, 2 * bases.length);
      bases = Arrays.copyOf(bases, room);
      near = Arrays.copyOf(near, room);
      far = Arrays.copyOf(far, room);
    }
    int old = length(segment);
    int needed =
        segment > 0 ? SEGMENT : Math.min(SEGMENT, Math.max(FEW, Math.max(2 * old, at + 1)));
    if (far[segment] != null) {
      far[segment] = Arrays.copyOf(far[segment], needed);
      Arrays.fill(far[segment], old, needed, NONE);
    } else if (near[segment] != null) {
      near[segment] = Arrays.copyOf(near[segment], needed);
    } else {
      bases[segment] = number;
      near[segment] = new int[needed];
    }
  }

  private void widen(int segment) {
    long[] whole = new long[near[segment].length];
    for (int at = 0; at < whole.length; at++) {
      whole[at] = get(segment << BITS | at);
    }
    near[segment] = null;
    far[segment] = whole;
  }

  /** Lets go of the first segment: the row after it becomes the first. */
  public void dropSegment() {
    int left = bases.length - 1;
    if (left >= 0) {
      System.arraycopy(bases, 1, bases, 0, left);
      System.arraycopy(near, 1, near, 0, left);
      System.arraycopy(far, 1, far, 0, left);
      near[left] = null;
      far[left] = null;
    }
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
      if (first >>> BITS < bases.length) {
        near[first >>> BITS] = null;
        far[first >>> BITS] = null;
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
  }

  /** What the numbers take, in bytes. */
  public long bytes() {
    long bytes = 0;
    for (int segment = 0; segment < bases.length; segment++) {
      bytes += near[segment] == null ? 0 : (long) Integer.BYTES * near[segment].length;
      bytes += far[segment] == null ? 0 : (long) Long.BYTES * far[segment].length;
    }
    return bytes;
  }
}
