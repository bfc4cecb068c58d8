package io.gcdiag.books;

import java.util.Optional;

/**
 * One quantity in the baseline and in the incident, for the first screen.
 *
 * @param what the quantity, such as {@code mean call}
 * @param before its value in the baseline, with its unit; empty if unknown
 * @param during its value in the incident, with its unit
 */
public record KeyFigure(String what, Optional<String> before, String during) {

  /** Whether the two values differ in print. */
  public boolean isTelling() {
    return before.filter(during::equals).isEmpty();
  }

  /** {@code mean call: 4.62 ms -> 273 ms}; only the second value if the first is unknown. */
  @Override
  public String toString() {
    return what + ": " + before.map(value -> value + " -> ").orElse("") + during;
  }
}
