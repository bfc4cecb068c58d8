package io.gcdiag.verdict;

import io.gcdiag.units.Named;

/** The conclusion of a diagnosis. */
public enum Conclusion implements Named {
  /** One root cause stands out. */
  PRIMARY_SUSPECT,
  /** No delay beyond what the service normally needs. */
  HEALTHY,
  /** Time is lost, or may be, and the inputs do not show why. */
  UNDECIDED;
}
