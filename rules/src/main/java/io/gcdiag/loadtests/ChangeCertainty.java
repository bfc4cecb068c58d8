package io.gcdiag.loadtests;

import io.gcdiag.units.Numbers;
import java.util.OptionalDouble;

/**
 * Whether two figures differ by more than chance.
 *
 * @param chance probability of such a difference by chance; empty if it cannot be known
 * @param basis what was compared, or why nothing can be known
 */
public record ChangeCertainty(OptionalDouble chance, String basis) {

  /**
   * Ten or twenty figures are compared at once; at the usual level of one in twenty, one of them
   * would seem to change between equal runs.
   */
  public static final double SIGNIFICANT = 0.01;

  private static final double SMALLEST_SHOWN = 0.001;

  static ChangeCertainty unknown(String why) {
    return new ChangeCertainty(OptionalDouble.empty(), why);
  }

  /** Whether the figures differ. */
  public boolean differs() {
    return chance.isPresent() && chance.getAsDouble() < SIGNIFICANT;
  }

  public String text() {
    if (chance.isEmpty()) {
      return "not testable: " + basis;
    }
    return (differs() ? "differs (" : "no difference shown (") + probability() + ", " + basis + ")";
  }

  /** Only the probability; {@link #basis()} has what it is based on. */
  public String probability() {
    if (chance.isEmpty()) {
      return "not testable";
    }
    double p = chance.getAsDouble();
    return p < SMALLEST_SHOWN ? "p < 0.001" : "p = " + Numbers.decimals(p, 3);
  }
}
