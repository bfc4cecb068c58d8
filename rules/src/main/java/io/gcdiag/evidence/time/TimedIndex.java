package io.gcdiag.evidence.time;

import io.gcdiag.units.Nanos;
import java.util.Comparator;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

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
   * @param time the time of an element, or {@link Nanos#NO_TIME}
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
    IntStream timed = IntStream.range(0, size).filter(i -> time.applyAsLong(i) != Nanos.NO_TIME);
    int[] indices =
        ordered
            ? timed.toArray()
            : timed
                .boxed()
                .sorted(Comparator.comparingLong(time::applyAsLong))
                .mapToInt(Integer::intValue)
                .toArray();
    return new TimedIndex(indices, count);
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
