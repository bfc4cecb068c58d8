package io.gcdiag.evidence.jvm;

/**
 * What pauses have in common: a log of a million pauses has a handful of these. What follows from
 * it alone is asked once for each of them ({@link PauseTypeProperty}) and not once for each pause.
 *
 * @param kind what the pause was for
 * @param cause the JVM's own words for its cause, such as {@code G1 Evacuation Pause}; empty when
 *     not given
 * @param evacuationFailure whether objects could not be moved for want of free space (to-space
 *     exhausted, evacuation or promotion failure)
 */
public record PauseType(PauseKind kind, String cause, boolean evacuationFailure) {

  /**
   * Written out: each pause of a log asks, and what a record has of itself takes ten times as long.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof PauseType type
        && kind == type.kind
        && evacuationFailure == type.evacuationFailure
        && cause.equals(type.cause);
  }

  @Override
  public int hashCode() {
    return 31 * kind.ordinal() + cause.hashCode() + (evacuationFailure ? 1 : 0);
  }
}
