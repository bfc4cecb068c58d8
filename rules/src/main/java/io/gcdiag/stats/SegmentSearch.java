package io.gcdiag.stats;

import java.util.Arrays;
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

  /**
   * What a stretch must save, to be held against many series: whether some stretch reaches it is
   * found sooner than the best of them.
   */
  Bound bound(double gain) {
    return new Bound(gain);
  }

  /** Looks whether a series has a stretch that saves so many squares. */
  final class Bound {
    /** So many ends of stretches are passed over at once where none of them can be far enough. */
    private static final int BLOCK = 16;

    /** Rounding in the root and the sums is far smaller; candidates near it are calculated. */
    private static final double NEARLY = 1 - 1e-9;

    private final double gain;

    /** By length, a little less than the least sum of deviations that saves enough. */
    private final double[] leastSum;

    private Bound(double gain) {
      this.gain = gain;
      this.leastSum = new double[count + 1];
      for (int m = 1; m <= count; m++) {
        leastSum[m] = NEARLY * Math.sqrt(gain * m * (count - m) / count);
      }
    }

    boolean isReached(double[] values) {
      double[] prefix = prefixSums(values);
      double[] highest = highestOfBlocks(prefix);
      for (int from = 0; from <= count; from++) {
        int longest = Math.min(count, from + count - minOutside);
        int to = from + minInside;
        while (to <= longest) {
          int end = Math.min(longest, to | (BLOCK - 1));
          // The least sum rises to half the count and falls from there: it is least at an end.
          double least = Math.min(leastSum[to - from], leastSum[end - from]);
          if (highest[to / BLOCK] - prefix[from] >= least && reaches(prefix, from, to, end)) {
            return true;
          }
          to = end + 1;
        }
      }
      return false;
    }

    private boolean reaches(double[] prefix, int from, int firstTo, int lastTo) {
      for (int to = firstTo; to <= lastTo; to++) {
        double sum = prefix[to] - prefix[from];
        if (sum > 0 && sum * sum * weights[to - from] >= gain) {
          return true;
        }
      }
      return false;
    }

    private double[] highestOfBlocks(double[] prefix) {
      double[] highest = new double[count / BLOCK + 1];
      Arrays.fill(highest, Double.NEGATIVE_INFINITY);
      for (int i = 0; i <= count; i++) {
        highest[i / BLOCK] = Math.max(highest[i / BLOCK], prefix[i]);
      }
      return highest;
    }
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
