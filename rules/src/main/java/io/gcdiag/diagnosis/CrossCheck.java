package io.gcdiag.diagnosis;

/**
 * One fact as told by two sources.
 *
 * @param fact what both speak of, with its unit
 * @param sourceA the first source
 * @param valueA what it says
 * @param sourceB the second source
 * @param valueB what it says
 * @param text both values for people, such as {@code 187 and 189 threads}
 * @param agreement whether they agree within the tolerance that {@code tolerance} states
 * @param tolerance how far apart they may be, or why nothing can be told, in words
 */
public record CrossCheck(
    String fact,
    String sourceA,
    double valueA,
    String sourceB,
    double valueB,
    String text,
    Agreement agreement,
    String tolerance) {

  /** Whether two sources tell the same. */
  public enum Agreement {
    /** They do. */
    YES,
    /** They do not. */
    NO,
    /** They differ, and for a known reason need not be the same: this is neither. */
    OPEN;

    static Agreement of(boolean agrees) {
      return agrees ? YES : NO;
    }
  }

  /** Whether both tell the same. */
  public boolean agrees() {
    return agreement == Agreement.YES;
  }

  /** Whether they contradict each other. */
  public boolean disagrees() {
    return agreement == Agreement.NO;
  }
}
