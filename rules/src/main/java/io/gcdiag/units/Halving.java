package io.gcdiag.units;

import java.util.function.LongPredicate;

/** Finds by halving where something begins to hold. */
public final class Halving {

  private Halving() {}

  /**
   * The first number from which on something holds.
   *
   * @param to the number that is given if it holds for none before it
   * @param holds once true for a number, true for all greater ones
   */
  public static long first(long from, long to, LongPredicate holds) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (holds.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The same of places in a list of that size. */
  public static int place(int size, LongPredicate holds) {
    return (int) first(0, size, holds);
  }
}
