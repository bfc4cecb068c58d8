package io.gcdiag.stats;

import java.util.Optional;

/**
 * Looks through all stretches of a series for the one with the highest level. Taking a stretch of m
 * of n values out of a common mean lowers the sum of squares by s^2 n / (m (n - m)), where s is the
 * sum of the deviations in it from the common mean; prefix sums give s in one step.
 */
final class SegmentSearch {
  private final int count;
  private final int minInside;
  private final int minOutside;
  private final double[] weights;

  /** A range of positions and the squares it saves. */
  record Range(int from, int to, double gain) {
    boolean contains(int position) {
      return from <= position && position < to;
    }
  }

  SegmentSearch(int count, int minInside, int minOutside) {
    this.count = count;
    this.minInside = minInside;
    this.minOutside = minOutside;
    this.weights = new double[count + 1];
    for (int m = 1; m < count; m++) {
      weights[m] = count / ((double) m * (count - m));
    }
  }

  /** The best of all stretches; empty if none is raised. */
  Optional<Range> best(double[] values) {
    return search(values, 0, count, 0, count);
  }

  /** The best of the stretches whose edges are at most {@code slack} away from the given ones. */
  Optional<Range> bestNear(double[] values, int from, int to, int slack) {
    return search(
        values,
        Math.max(0, from - slack),
        Math.min(count, from + slack),
        Math.max(0, to - slack),
        Math.min(count, to + slack));
  }

  private Optional<Range> search(
      double[] values, int firstFrom, int lastFrom, int firstTo, int lastTo) {
    double[] prefix = prefixSums(values);
    double best = 0;
    int bestFrom = 0;
    int bestTo = 0;
    for (int from = firstFrom; from <= lastFrom; from++) {
      int longest = Math.min(lastTo, from + count - minOutside);
      for (int to = Math.max(firstTo, from + minInside); to <= longest; to++) {
        double sum = prefix[to] - prefix[from];
        double gain = sum * sum * weights[to - from];
        if (gain > best && sum > 0) {
          best = gain;
          bestFrom = from;
          bestTo = to;
        }
      }
    }
    return bestTo == 0 ? Optional.empty() : Optional.of(new Range(bestFrom, bestTo, best));
  }

  private double[] prefixSums(double[] values) {
    double mean = 0;
    for (double value : values) {
      mean += value / count;
    }
    double[] prefix = new double[count + 1];
    for (int i = 0; i < count; i++) {
      prefix[i + 1] = prefix[i] + values[i] - mean;
    }
    return prefix;
  }
}
