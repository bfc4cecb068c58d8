package io.gcdiag.stats;

import java.util.OptionalDouble;
import org.apache.commons.math3.util.KthSelector;

/** The middle value, or the mean of the two middle ones. */
public final class Median {

  private static final double MIDDLE = 0.5;

  private Median() {}

  /**
   * The median, found without sorting all: for hundreds of thousands of values.
   *
   * @param values finite numbers in any order, which is changed
   * @return empty if there are no values
   */
  public static OptionalDouble of(double[] values) {
    if (values.length == 0) {
      return OptionalDouble.empty();
    }
    KthSelector selector = new KthSelector();
    double above = selector.select(values, null, values.length / 2);
    if (values.length % 2 == 1) {
      return OptionalDouble.of(above);
    }
    double below = selector.select(values, null, values.length / 2 - 1);
    return OptionalDouble.of(below + MIDDLE * (above - below));
  }
}
