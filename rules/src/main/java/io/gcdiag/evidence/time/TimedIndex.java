package io.gcdiag.evidence.time;

import io.gcdiag.units.Nanos;
import java.util.function.IntToLongFunction;

/** The elements of a list that have a time, in order of time. */
public final class TimedIndex {

  private static final int[] NONE = {};

  /** Empty if all elements have a time and are in order. */
  private final int[] indices;

  private final int size;

  private TimedIndex(int[] indices, int size) {
    this.indices = indices;
    this.size = size;
  }

  /**
   * The order of a list.
   *
   * @param time the time of an element, or {@link PackedWords#NO_TIME}
   */
  public static TimedIndex of(int size, IntToLongFunction time) {
    boolean ordered = true;
    long last = Long.MIN_VALUE;
    int count = 0;
    for (int i = 0; i < size; i++) {
      long at = time.applyAsLong(i);
      if (at != Nanos.NO_TIME) {
        ordered &= at >= last;
        last = at;
        count++;
      }
    }
    if (ordered && count == size) {
      return new TimedIndex(NONE, size);
    }
    int[] timed = new int[count];
    int next = 0;
    for (int i = 0; i < size; i++) {
      if (time.applyAsLong(i) != Nanos.NO_TIME) {
        timed[next++] = i;
      }
    }
    if (!ordered) {
      sort(timed, time);
    }
    return new TimedIndex(timed, count);
  }

  /**
   * Merge sort of ever longer runs, because out-of-order parts of a log are mostly sorted
   * themselves.
   */
  private static void sort(int[] indices, IntToLongFunction time) {
    int[] other = new int[indices.length];
    for (int width = 1; width < indices.length; width *= 2) {
      for (int from = 0; from + width < indices.length; from += 2 * width) {
        int to = Math.min(from + 2 * width, indices.length);
        merge(indices, other, from, from + width, to, time);
      }
    }
  }

  private static void merge(
      int[] indices, int[] other, int from, int middle, int to, IntToLongFunction time) {
    long left = time.applyAsLong(indices[middle - 1]);
    long right = time.applyAsLong(indices[middle]);
    if (right >= left) {
      return;
    }
    System.arraycopy(indices, from, other, from, to - from);
    int a = from;
    int b = middle;
    left = time.applyAsLong(other[a]);
    for (int i = from; i < to; i++) {
      boolean takeRight = a == middle || b < to && right < left;
      indices[i] = takeRight ? other[b++] : other[a++];
      if (takeRight && b < to) {
        right = time.applyAsLong(other[b]);
      } else if (!takeRight && a < middle) {
        left = time.applyAsLong(other[a]);
      }
    }
  }

  public int size() {
    return size;
  }

  /** Whether all elements have a time and are in order. */
  public boolean isAll() {
    return indices.length == 0;
  }

  /** The index in the list of the element at that place in order of time. */
  public int of(int place) {
    return indices.length == 0 ? place : indices[place];
  }
}
