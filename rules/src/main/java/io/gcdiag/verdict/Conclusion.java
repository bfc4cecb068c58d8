package io.gcdiag.verdict;

import io.gcdiag.units.Named;

/** The answer in one word. */
public enum Conclusion implements Named {
  /** One root cause stands out. */
  PRIMARY_SUSPECT,
  /** Nothing exceeds what the service needs. */
  HEALTHY,
  /** Time is lost, or may be, and the inputs do not say why. */
  UNDECIDED;
}
