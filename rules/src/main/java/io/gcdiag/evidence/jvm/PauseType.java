package io.gcdiag.evidence.jvm;

/**
 * Kind and cause of a pause. A log of a million pauses has only a handful of types, so properties
 * that depend on the type alone are computed once per type ({@link PauseTypeProperty}) and not per
 * pause.
 *
 * @param kind the kind of pause
 * @param cause the JVM's own words for its cause, such as {@code G1 Evacuation Pause}; empty if
 *     there is none
 * @param evacuationFailure whether objects could not be moved because there was no free space
 *     (to-space exhausted, evacuation or promotion failure)
 */
public record PauseType(PauseKind kind, String cause, boolean evacuationFailure) {

  /**
   * Written by hand because it is called for each pause of a log, and the generated method of a
   * record is ten times slower.
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
