package io.gcdiag.read.gclog.lines;

/**
 * What young collections did with the young generation, in bytes or in regions.
 *
 * @param stamp of the last of them
 * @param count how many they were
 * @param before in use before them, all together
 * @param survived of these alive after them
 * @param promoted of these moved to the old generation
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

  /** Whether both happened in the same second, and are of one unit. */
  boolean isInSecondOf(LoggedYoung other) {
    return inRegions == other.inRegions && stamp.isInSecondOf(other.stamp);
  }

  /** These and later ones. */
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
