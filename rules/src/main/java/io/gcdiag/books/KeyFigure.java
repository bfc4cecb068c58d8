package io.gcdiag.books;

import java.util.Optional;

/**
 * One quantity before the incident and during it, for the first screen.
 *
 * @param what the quantity, such as {@code mean call}
 * @param before its value in the baseline, with its unit; empty if that is not known
 * @param during its value in the incident, with its unit
 */
public record KeyFigure(String what, Optional<String> before, String during) {

  /** Whether both values differ as printed. */
  public boolean isTelling() {
    return before.filter(during::equals).isEmpty();
  }

  /** {@code mean call: 4.62 ms -> 273 ms}; the second alone where the first is not known. */
  @Override
  public String toString() {
    return what + ": " + before.map(value -> value + " -> ").orElse("") + during;
  }
}
