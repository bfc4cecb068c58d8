package io.gcdiag.loadtests;

import io.gcdiag.units.Named;

/** Whether a target is met. */
public enum Met implements Named {
  /** It is. */
  MET("met"),
  /** It is not. */
  MISSED("missed"),
  /** The files do not say. */
  CANNOT_TELL("cannot tell");

  private final String text;

  Met(String text) {
    this.text = text;
  }

  /** In words. */
  public String text() {
    return text;
  }

  /** Met only if all are; missed if one is. */
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
