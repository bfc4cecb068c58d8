package io.gcdiag.evidence.time;

import io.gcdiag.units.Halving;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** A part of a long list: a range of its places, or some of them in order. */
public final class ListSelection {

  private static final int[] NONE = {};

  /** The selected places; empty for a range. */
  private final int[] chosen;

  private final int from;
  private final int size;

  private ListSelection(int[] chosen, int from, int size) {
    this.chosen = chosen;
    this.from = from;
    this.size = size;
  }

  /** All places of a list of that size. */
  public static ListSelection all(int size) {
    return new ListSelection(NONE, 0, size);
  }

  public int size() {
    return size;
  }

  /** Whether its places follow one another. */
  public boolean isRange() {
    return chosen.length == 0;
  }

  /** The place in the list for an index of the part. */
  public int of(int index) {
    return chosen.length == 0 ? from + index : chosen[from + index];
  }

  /** The part of this part between two indices. */
  public ListSelection part(int first, int end) {
    return first == 0 && end == size ? this : new ListSelection(chosen, from + first, end - first);
  }

  /** The elements whose index in this part meets the condition. */
  public ListSelection where(IntPredicate condition) {
    // Often all do, for example if every pause of a log has heap sizes.
    int count = 0;
    while (count < size && condition.test(count)) {
      count++;
    }
    if (count == size) {
      return this;
    }
    IntStream rest = IntStream.range(count + 1, size).filter(condition);
    int[] found = IntStream.concat(IntStream.range(0, count), rest).map(this::of).toArray();
    return new ListSelection(found, 0, found.length);
  }

  /** The index of the first element at or after a time, by binary search. */
  public int firstFrom(long nanos, IntToLongFunction timeOfPlace) {
    return Halving.place(size, i -> timeOfPlace.applyAsLong(of((int) i)) >= nanos);
  }
}
