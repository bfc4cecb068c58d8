package io.gcdiag.fleet;

import io.gcdiag.units.Named;
import io.gcdiag.verdict.Conclusion;

/** How a case ended, the most severe first. */
public enum CaseOutcome implements Named {
  /** A root cause stands out. */
  PRIMARY_SUSPECT,
  /** The files do not say. */
  UNDECIDED,
  /** The case could not be analysed. */
  FAILED,
  /** Nothing exceeds what the service needs. */
  HEALTHY;

  public static CaseOutcome of(Conclusion conclusion) {
    return switch (conclusion) {
      case PRIMARY_SUSPECT -> PRIMARY_SUSPECT;
      case UNDECIDED -> UNDECIDED;
      case HEALTHY -> HEALTHY;
    };
  }
}
