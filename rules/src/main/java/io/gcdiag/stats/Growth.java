package io.gcdiag.stats;

import java.util.OptionalDouble;

/**
 * How an amount changed from one window to another.
 *
 * @param before the amount in the window compared with, in any unit, 0 or more
 * @param after the amount in the window of interest, in the same unit, 0 or more
 */
public record Growth(double before, double after) {

  /**
   * @throws IllegalArgumentException if an amount is negative, infinite or not a number
   */
  public Growth {
    Checks.notNegative(before, "before");
    Checks.notNegative(after, "after");
  }

  /**
   * The change as a fraction of the amount before, {@code (after - before) / before}: 3.058 for
   * +305.8 %, -0.659 for -65.9 %. Empty if the amount before is 0, for then no fraction of it
   * exists.
   */
  public OptionalDouble relative() {
    return before == 0 ? OptionalDouble.empty() : OptionalDouble.of((after - before) / before);
  }
}
