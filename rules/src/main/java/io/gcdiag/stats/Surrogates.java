package io.gcdiag.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Series of chance that look like a given one but have no level of their own: its values, placed in
 * the order of an autoregressive series of order 1 with its persistence (amplitude-adjusted
 * surrogates, J. Theiler et al., "Testing for nonlinearity in time series: the method of surrogate
 * data", Physica D 58, 1992). Because the values are the same, outliers, ties and skew cannot make
 * a difference.
 */
final class Surrogates {
  /**
   * Above this, a few hundred values cannot tell persistence from a level: a series of 120 then
   * holds about 120 (1 - 0.8) / (1 + 0.8) = 13 independent values.
   */
  private static final double MOST_PERSISTENCE = 0.8;

  private final KnownValues known;

  /** Enough for a p-value of 0.001 at each resolution; ends in 9 so that 0.01 is met exactly. */
  private static final int ROUNDS = 999;

  /**
   * So many, none of which gains as much, are enough: of series of chance one in 400 gets there,
   * and one in 10,000 without being significant by all rounds (of 600 more, five would have to gain
   * as much).
   */
  private static final int ROUNDS_OF_A_CLEAR_GAIN = 399;

  /**
   * The lowest bits of a draw, in which its place is noted while draws are sorted. They hold the
   * places of all values that are tested at once, and make no difference to the order of chance.
   */
  private static final long PLACES = (1 << 16) - 1;

  private final double[] sorted;
  private final double persistence;

  Surrogates(KnownValues known) {
    this.known = known;
    this.sorted = known.values().clone();
    Arrays.sort(sorted);
    this.persistence = persistence(known);
  }

  /**
   * The share of chance series (the given one counted among them) that gain at least as much. Stops
   * early once it is clear on which side of the significance the value will be.
   */
  double pValue(SegmentSearch search, double gain, double significance) {
    // Equal gains may differ in the last digits, for sums are taken in another order.
    SegmentSearch.Bound bound = search.bound(gain * (1 - 1e-12));
    int asGood = 1;
    for (int round = 0; round < ROUNDS; round++) {
      if (bound.isReached(next(round))) {
        asGood++;
      }
      boolean clear = asGood == 1 && round + 1 == ROUNDS_OF_A_CLEAR_GAIN;
      if (clear || asGood > significance * (ROUNDS + 1)) {
        return (double) asGood / (round + 2);
      }
    }
    return (double) asGood / (ROUNDS + 1);
  }

  /**
   * The autocorrelation at lag 1, from differences: for an autoregressive series the mean square of
   * differences over two steps is 1 + phi times that over one step. A change of level touches only
   * one or two of the differences, whereas it would dominate the usual estimate (compare S. Chakar
   * et al., "A robust approach for estimating change-points in the mean of an AR(1) process",
   * Bernoulli 23, 2017). Normal scores take the place of values, for a surrogate is built from
   * ranks. One standard error, about 1 over the root of the count, is added to err on the side of
   * chance.
   */
  private static double persistence(KnownValues known) {
    double[] series = new double[known.seriesLength()];
    Arrays.fill(series, Double.NaN);
    double[] ranks = RobustScores.ranks(known.values());
    NormalDistribution normal = new NormalDistribution(null, 0, 1);
    for (int i = 0; i < ranks.length; i++) {
      series[known.index(i)] = normal.inverseCumulativeProbability(ranks[i] / (ranks.length + 1));
    }
    double oneStep = meanSquaredDifference(series, 1);
    double twoSteps = meanSquaredDifference(series, 2);
    double estimate = oneStep > 0 ? twoSteps / oneStep - 1 : 0;
    double margin = 1 / Math.sqrt(known.count());
    return Math.max(0, Math.min(MOST_PERSISTENCE, estimate + margin));
  }

  private static double meanSquaredDifference(double[] series, int lag) {
    double sum = 0;
    int pairs = 0;
    for (int i = lag; i < series.length; i++) {
      double difference = series[i] - series[i - lag];
      if (!Double.isNaN(difference)) {
        sum += difference * difference;
        pairs++;
      }
    }
    return pairs == 0 ? 0 : sum / pairs;
  }

  /** The series of one round. Every round takes as many draws as there are steps, and the first. */
  private double[] next(int round) {
    int steps = known.index(known.count() - 1) + 1;
    int draw = round * (steps + 1);
    double[] draws = NormalDraws.first(draw + steps + 1);
    double innovation = Math.sqrt(1 - persistence * persistence);
    double state = draws[draw++];
    long[] order = new long[known.count()];
    int position = 0;
    for (int i = 0; i < steps; i++) {
      if (known.index(position) == i) {
        order[position] = ordered(state) & ~PLACES | position;
        position++;
      }
      state = persistence * state + innovation * draws[draw++];
    }
    Arrays.sort(order);
    double[] surrogate = new double[order.length];
    for (int rank = 0; rank < order.length; rank++) {
      surrogate[(int) (order[rank] & PLACES)] = sorted[rank];
    }
    return surrogate;
  }

  /** A number whose order among others is that of the values, in the highest bits first. */
  private static long ordered(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return bits ^ bits >> Long.SIZE - 1 & Long.MAX_VALUE;
  }

  /**
   * One stream of standard normal draws, always the same. Drawing takes longer than what is made of
   * the draws, and an analysis needs the stream's beginning for every series that it tests; so what
   * has been drawn is kept: for the longest series 999 x 301 draws, 2.4 MB.
   */
  private static final class NormalDraws {
    /** A fixed seed: which one does not matter, only that it never changes. */
    private static final long SEED = 20_170_317L;

    /** Drawn at a time: a hundred rounds of the longest series, after which most are judged. */
    private static final int BLOCK = 32 * 1024;

    private static final RandomGenerator RANDOM = new Well19937c(SEED);

    private static volatile double[] drawn = new double[0];

    private NormalDraws() {}

    /**
     * At least so many draws from the beginning of the stream.
     *
     * @return not to be changed
     */
    static double[] first(int count) {
      double[] known = drawn;
      return known.length >= count ? known : more(count);
    }

    private static synchronized double[] more(int count) {
      int from = drawn.length;
      if (from < count) {
        double[] longer = Arrays.copyOf(drawn, Math.max(count, from + BLOCK));
        for (int i = from; i < longer.length; i++) {
          longer[i] = RANDOM.nextGaussian();
        }
        drawn = longer;
      }
      return drawn;
    }
  }
}
