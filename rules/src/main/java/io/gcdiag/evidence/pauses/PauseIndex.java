package io.gcdiag.evidence.pauses;

import io.gcdiag.units.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.function.Predicate;

/**
 * What one pass over a long list of pauses finds: the type of each as a small number, and the sum
 * and the longest of each block of them. Rules ask for the pauses of some type a dozen times, and
 * mostly all or none of them are meant; they ask twenty times for the time stopped in a window.
 */
final class PauseIndex {

  /** Collectors have some dozens of types; only a log made up for it has more than this. */
  private static final int FEW = 1 << Byte.SIZE;

  private final List<PauseType> all = new ArrayList<>();

  /** The lower eight bits of each number, and the rest where there are more types than that. */
  private final byte[] low;

  private int[] high = {};

  /** Pauses of a block. */
  private static final int BLOCK = 1024;

  private final PauseColumns columns;
  private final long[] sums;
  private final long[] longest;

  /** Looks at every pause. */
  PauseIndex(PauseColumns columns) {
    this.columns = columns;
    low = new byte[columns.size()];
    sums = new long[low.length / BLOCK];
    longest = new long[sums.length];
    PauseTypeProperty<Integer> number =
        new PauseTypeProperty<>(
            type -> {
              all.add(type);
              return all.size() - 1;
            });
    for (int place = 0; place < low.length; place++) {
      set(place, number.of(columns.type(place)));
    }
    for (int block = 0; block < sums.length; block++) {
      int from = block * BLOCK;
      sums[block] = sum(from, from + BLOCK);
      longest[block] = longest(from, from + BLOCK);
    }
  }

  /** Nanoseconds that the pauses of a range of places took together. */
  long sum(int from, int to) {
    return over(from, to, sums, Nanos::plus);
  }

  /** Nanoseconds that the longest of them took. */
  long longest(int from, int to) {
    return over(from, to, longest, Math::max);
  }

  /** By blocks where these are whole and known. */
  private long over(int from, int to, long[] blocks, LongBinaryOperator and) {
    long found = 0;
    int place = from;
    while (place < to) {
      boolean whole = place % BLOCK == 0 && place + BLOCK <= to && blocks[place / BLOCK] > 0;
      found = and.applyAsLong(found, whole ? blocks[place / BLOCK] : columns.nanos(place));
      place += whole ? BLOCK : 1;
    }
    return found;
  }

  private void set(int place, int number) {
    low[place] = (byte) number;
    if (number >= FEW) {
      if (high.length == 0) {
        high = new int[low.length];
      }
      high[place] = number / FEW;
    }
  }

  /** The type of the pause at that place. */
  PauseType of(int place) {
    return all.get(number(place));
  }

  /** Its number. */
  int number(int place) {
    return (high.length == 0 ? 0 : high[place] * FEW) + Byte.toUnsignedInt(low[place]);
  }

  /** All types that there are. */
  List<PauseType> all() {
    return all;
  }

  /** Which types, by their numbers, meet the condition. */
  boolean[] met(Predicate<PauseType> condition) {
    boolean[] met = new boolean[all.size()];
    for (int i = 0; i < met.length; i++) {
      met[i] = condition.test(all.get(i));
    }
    return met;
  }
}
