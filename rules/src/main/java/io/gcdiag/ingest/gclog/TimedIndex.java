package io.gcdiag.ingest.gclog;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;

/** Which elements of a list have a time, in the order of their times. */
final class TimedIndex {

  private final int[] indices;

  private TimedIndex(int[] indices) {
    this.indices = indices;
  }

  /**
   * The order of a list.
   *
   * @param size how many elements it has
   * @param time the time of an element, if it has one
   */
  static TimedIndex of(int size, IntFunction<Optional<Instant>> time) {
    int[] indices = new int[size];
    int count = 0;
    boolean ordered = true;
    Instant last = Instant.MIN;
    for (int i = 0; i < size; i++) {
      Optional<Instant> at = time.apply(i);
      if (at.isPresent()) {
        ordered &= !at.get().isBefore(last);
        last = at.get();
        indices[count++] = i;
      }
    }
    int[] timed = count == size ? indices : Arrays.copyOf(indices, count);
    if (!ordered) {
      sort(timed, time);
    }
    return new TimedIndex(timed);
  }

  /** Merges ever longer stretches: what a log has out of order is mostly in order by itself. */
  private static void sort(int[] indices, IntFunction<Optional<Instant>> time) {
    int[] other = new int[indices.length];
    for (int width = 1; width < indices.length; width *= 2) {
      for (int from = 0; from + width < indices.length; from += 2 * width) {
        int to = Math.min(from + 2 * width, indices.length);
        merge(indices, other, from, from + width, to, time);
      }
    }
  }

  private static void merge(
      int[] indices,
      int[] other,
      int from,
      int middle,
      int to,
      IntFunction<Optional<Instant>> time) {
    Instant left = time.apply(indices[middle - 1]).orElseThrow();
    Instant right = time.apply(indices[middle]).orElseThrow();
    if (!right.isBefore(left)) {
      return;
    }
    System.arraycopy(indices, from, other, from, to - from);
    int a = from;
    int b = middle;
    left = time.apply(other[a]).orElseThrow();
    for (int i = from; i < to; i++) {
      boolean takeRight = a == middle || b < to && right.isBefore(left);
      indices[i] = takeRight ? other[b++] : other[a++];
      if (takeRight && b < to) {
        right = time.apply(other[b]).orElseThrow();
      } else if (!takeRight && a < middle) {
        left = time.apply(other[a]).orElseThrow();
      }
    }
  }

  int size() {
    return indices.length;
  }

  /** The index in the list of the element that is at that place in time. */
  int of(int place) {
    return indices[place];
  }
}
