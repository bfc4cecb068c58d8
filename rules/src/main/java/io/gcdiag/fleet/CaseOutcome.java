package io.gcdiag.fleet;

import io.gcdiag.diagnosis.Conclusion;

/** How a case ended, the most severe first. */
public enum CaseOutcome {
  /** A root cause stands out. */
  PRIMARY_SUSPECT("primary-suspect"),
  /** The files do not say. */
  UNDECIDED("undecided"),
  /** The case could not be analysed. */
  FAILED("failed"),
  /** Nothing exceeds what the service needs. */
  HEALTHY("healthy");

  private final String id;

  CaseOutcome(String id) {
    this.id = id;
  }

  /** The name used in machine-readable output; that of the conclusion where there is one. */
  public String id() {
    return id;
  }

  /** That of a diagnosis. */
  public static CaseOutcome of(Conclusion conclusion) {
    return switch (conclusion) {
      case PRIMARY_SUSPECT -> PRIMARY_SUSPECT;
      case UNDECIDED -> UNDECIDED;
      case HEALTHY -> HEALTHY;
    };
  }
}
