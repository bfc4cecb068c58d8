package io.gcdiag.books;

/**
 * 95 % interval of a sampled figure.
 *
 * @param low at least 0
 * @param high at least {@code low}
 */
public record Interval(double low, double high) {

  public Interval {
    if (!(low >= 0 && high >= low)) {
      throw new IllegalArgumentException("no interval: " + low + " to " + high);
    }
  }
}
