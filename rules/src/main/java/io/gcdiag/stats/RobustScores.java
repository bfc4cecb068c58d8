package io.gcdiag.stats;

import java.util.Arrays;
import org.apache.commons.math3.stat.ranking.NaturalRanking;
import org.apache.commons.math3.stat.ranking.TiesStrategy;

/** Rank and scale transforms that a few wild values cannot spoil. */
final class RobustScores {
  /**
   * Noise hardly reaches six scales. A higher cut-off lets one wild value outweigh a real stretch,
   * a lower one takes the weight from bursts.
   */
  private static final double CUT_OFF = 6;

  /** Makes the median absolute deviation of normal noise its standard deviation. */
  private static final double MAD_TO_SIGMA = 1.4826;

  /** The same for the mean absolute deviation: the root of pi/2. */
  private static final double MEAN_DEVIATION_TO_SIGMA = 1.2533;

  /**
   * Distances from the median in robust standard deviations, cut off at plus and minus 6. The scale
   * is the median absolute deviation, or, where more than half of the values are the same, the mean
   * absolute deviation (B. Iglewicz and D. Hoaglin, "How to Detect and Handle Outliers", 1993). All
   * 0 for a constant series.
   */
  static double[] of(double[] values) {
    double median = Median.of(values.clone()).orElse(0);
    double[] deviations = Arrays.stream(values).map(v -> Math.abs(v - median)).toArray();
    double scale = MAD_TO_SIGMA * Median.of(deviations.clone()).orElse(0);
    if (scale == 0) {
      scale = MEAN_DEVIATION_TO_SIGMA * Arrays.stream(deviations).average().orElse(0);
    }
    double[] scores = new double[values.length];
    if (scale > 0) {
      for (int i = 0; i < values.length; i++) {
        scores[i] = Math.max(-CUT_OFF, Math.min(CUT_OFF, (values[i] - median) / scale));
      }
    }
    return scores;
  }

  /** Ranks from 1; equal values share the mean of their ranks. */
  static double[] ranks(double[] values) {
    return new NaturalRanking(TiesStrategy.AVERAGE).rank(values);
  }
}
