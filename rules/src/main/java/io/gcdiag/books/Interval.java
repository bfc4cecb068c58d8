package io.gcdiag.books;

/**
 * Where a figure that is known from samples lies with a probability of 95 %.
 *
 * @param low at least 0
 * @param high not less than that
 */
public record Interval(double low, double high) {

  /** Checks the order. */
  public Interval {
    if (!(low >= 0 && high >= low)) {
      throw new IllegalArgumentException("no interval: " + low + " to " + high);
    }
  }
}
