package io.gcdiag.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * Values of two kinds with nothing between them. Where high values have several levels of their
 * own, the stretch of its highest values saves the most squares, and counts the rest as low; put as
 * low and high, all of it is one level.
 */
final class LevelGap {

  /** The least high value is of another order of magnitude than the greatest low one. */
  private static final double LEAST_RATIO = 10;

  private LevelGap() {}

  /**
   * 0 for a low value, 1 for a high one; of several gaps the widest counts.
   *
   * @param fewestLow as many values must be low
   * @param fewestHigh as many must be high
   * @return empty if no gap parts the values so, or if some are below 0, where a ratio says nothing
   */
  static Optional<double[]> of(double[] values, int fewestLow, int fewestHigh) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double widest = 0;
    double leastHigh = 0;
    for (int i = Math.max(1, fewestLow); i <= sorted.length - fewestHigh; i++) {
      double gap = sorted[i] - sorted[i - 1];
      if (sorted[0] >= 0 && sorted[i] >= LEAST_RATIO * sorted[i - 1] && gap > widest) {
        widest = gap;
        leastHigh = sorted[i];
      }
    }
    double least = leastHigh;
    return widest > 0
        ? Optional.of(Arrays.stream(values).map(value -> value >= least ? 1 : 0).toArray())
        : Optional.empty();
  }
}
