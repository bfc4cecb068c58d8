package io.gcdiag.loadtests;

import io.gcdiag.units.Named;

/** Whether a target is met. */
public enum Met implements Named {
  /** The target is met. */
  MET("met"),
  /** The target is missed. */
  MISSED("missed"),
  /** The files do not have it. */
  CANNOT_TELL("cannot tell");

  private final String text;

  Met(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** All are met, or at least one is missed. */
  static Met all(Iterable<Met> parts) {
    Met sum = MET;
    for (Met part : parts) {
      if (part == MISSED) {
        return MISSED;
      }
      sum = part == CANNOT_TELL ? CANNOT_TELL : sum;
    }
    return sum;
  }
}
