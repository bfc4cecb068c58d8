package io.gcdiag.stats;

/** Argument checks shared by this package; each message names the argument. */
final class Checks {
  static double finite(double value, String name) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " must be a finite number, was " + value);
    }
    return value;
  }

  static void notNegative(double value, String name) {
    if (finite(value, name) < 0) {
      throw new IllegalArgumentException(name + " must not be negative, was " + value);
    }
  }

  static void fraction(double value, String name) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " must be from 0 to 1, was " + value);
    }
  }

  static void allFinite(double[] values, String name) {
    for (double value : values) {
      finite(value, name);
    }
  }
}
