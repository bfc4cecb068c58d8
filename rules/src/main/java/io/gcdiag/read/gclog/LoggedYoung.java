package io.gcdiag.read.gclog;

/**
 * Young generation over some young collections, in bytes or in regions.
 *
 * @param stamp time of the last of them
 * @param count number of collections
 * @param before in use before them, sum of all
 * @param survived of these still alive after them
 * @param promoted of these promoted to the old generation
 * @param inRegions whether these are numbers of G1's regions
 * @param line the line the last was read from, counted from 1
 */
record LoggedYoung(
    LogStamp stamp,
    int count,
    long before,
    long survived,
    long promoted,
    boolean inRegions,
    long line) {

  /** Whether both are in the same second and have the same unit. */
  boolean isInSecondOf(LoggedYoung other) {
    return inRegions == other.inRegions && stamp.isInSecondOf(other.stamp);
  }

  /** The sum of both. */
  LoggedYoung and(LoggedYoung later) {
    return new LoggedYoung(
        later.stamp,
        count + later.count,
        before + later.before,
        survived + later.survived,
        promoted + later.promoted,
        inRegions,
        later.line);
  }
}
