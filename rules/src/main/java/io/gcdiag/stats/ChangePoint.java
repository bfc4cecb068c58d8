package io.gcdiag.stats;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Finds the one stretch of an evenly spaced series in which its level is raised: low, high, low
 * again, or high values that last to the end (or from the beginning). Statistics calls this an
 * epidemic change (B. Levin and J. Kline, "The CUSUM test of homogeneity", Statistics in Medicine
 * 4, 1985).
 *
 * <p><b>Where.</b> Of all stretches of allowed length, the one whose mean differs upwards from the
 * rest's so that least squares are left over. Before that, values become robust z-scores and are
 * cut off at plus and minus 6 (see {@link RobustScores}): one wild bucket cannot pull the stretch
 * towards itself, and unlike with ranks the few high buckets of a bursty incident keep their
 * weight.
 *
 * <p><b>Whether.</b> The gain in squares is compared with that of 999 series of chance, 399 where
 * the gain is clear, that have exactly the same values and the persistence of this one (see {@link
 * Surrogates}), a Monte Carlo test after G. A. Barnard (1963). A neighbour that resembles its
 * neighbour is therefore not taken for a level. A series that wanders freely (persistence above
 * 0.8) cannot be distinguished from one with levels; in it, a stretch may be reported. On top, a
 * value inside must exceed a value outside with a probability of at least 0.56, the bound of a
 * small effect of A. Vargha and H. D. Delaney, "A Critique and Improvement of the CL Common
 * Language Effect Size Statistics", Journal of Educational and Behavioral Statistics 25 (2000). A
 * stretch whose level is ten times that of the rest, with a probability of at least 0.95, is taken
 * at five times the error; so is one that a few wild values hide, where the same test on ranks
 * finds one.
 *
 * <p><b>Two resolutions.</b> The test is made on at most 300 means of neighbouring values and, if
 * that finds nothing, on at most 30; edges are then set on the full series. The coarse look finds
 * what the fine one cannot: an incident in which only every third value is high, where chance too
 * would put some high values side by side. Where a gap of an order of magnitude parts the values
 * into low and high ones, these two levels are looked at first ({@link LevelGap}). A stretch far
 * shorter than the whole is best looked for in a part of the series.
 *
 * <p>Seeds are fixed: the same series always gives the same answer.
 */
public final class ChangePoint {
  /** All stretches of 300 values are 45,000, so that a test stays in the range of 0.1 s. */
  private static final int FINE_BINS = 300;

  /** Coarse enough that a bin of a two-minute series by seconds holds a burst and its gap. */
  private static final int COARSE_BINS = 30;

  /**
   * Two looks at one series: each may err half as often (Bonferroni). That at a gap finds only what
   * is plain, of which chance makes hardly any.
   */
  private static final int RESOLUTIONS = 2;

  private static final double SMALL_EFFECT = 0.56;

  /** So many times the chance of an error is allowed where the difference is plain. */
  private static final double PLAIN_TIMES = 5;

  /** Nearly every value inside is above nearly every value outside. */
  private static final double PLAIN_EFFECT = 0.95;

  /** And the level is another order of magnitude. */
  private static final double PLAIN_LEVELS = 10;

  /** Fewest known high values. */
  private static final int MIN_INSIDE = 5;

  /** Fewest known low values, before and after together. */
  private static final int MIN_OUTSIDE = 10;

  /** The largest p-value of a stretch that is not plain to see. */
  private static final double SIGNIFICANCE = 0.01;

  private ChangePoint() {}

  /**
   * A stretch of raised level.
   *
   * @param fromIndex index of its first value in the series
   * @param toIndex index after its last value
   * @param meanInside mean of the known values in it, in their unit
   * @param meanOutside mean of the known values outside it; these are plain means, so that one huge
   *     value outside can lift it above the mean inside
   * @param superiority probability, 0 to 1, that a value inside exceeds one outside, ties counted
   *     half (Vargha and Delaney's A: 0.56 small, 0.64 medium, 0.71 large)
   * @param pValue share of chance series that show as clear a stretch, corrected for the two
   *     resolutions, 0 to 1
   */
  public record Segment(
      int fromIndex,
      int toIndex,
      double meanInside,
      double meanOutside,
      double superiority,
      double pValue) {

    /**
     * @throws IllegalArgumentException if the indices are no range
     */
    public Segment {
      if (fromIndex < 0 || toIndex <= fromIndex) {
        throw new IllegalArgumentException(
            "fromIndex and toIndex must be a range, were " + fromIndex + " and " + toIndex);
      }
    }

    /** Whether chance makes so clear a stretch once in a hundred series at most. */
    public boolean isSignificant() {
      return pValue <= SIGNIFICANCE;
    }
  }

  /**
   * Finds the raised stretch.
   *
   * @param series one value for each interval of time, in order; NaN where nothing is known, which
   *     is not the same as 0
   * @return empty if no stretch is clear, or too few values are known to say
   * @throws IllegalArgumentException if a value is infinite
   */
  public static Optional<Segment> find(double[] series) {
    KnownValues known = KnownValues.of(series);
    if (known.count() < MIN_INSIDE + MIN_OUTSIDE) {
      return Optional.empty();
    }
    KnownValues scores = known.with(RobustScores.of(known.values()));
    Optional<Segment> byGap = findByGap(known, binSize(series, FINE_BINS));
    return byGap
        .filter(Segment::isSignificant)
        .or(() -> findInBins(known, scores, binSize(series, FINE_BINS)))
        .or(() -> findInBins(known, scores, binSize(series, COARSE_BINS)))
        .or(() -> byGap)
        .or(() -> findByRanks(known, binSize(series, FINE_BINS)));
  }

  /**
   * Where high values differ among each other more than from low ones, the highest of them save the
   * most squares, and what is beside them is no level. By ranks all that is high is alike.
   */
  private static Optional<Segment> findByRanks(KnownValues known, int binSize) {
    return findInBins(known, known.with(RobustScores.ranks(known.values())), binSize)
        .filter(ChangePoint::isPlain);
  }

  private static Optional<Segment> findByGap(KnownValues known, int binSize) {
    return LevelGap.of(known.values(), MIN_OUTSIDE, MIN_INSIDE)
        .flatMap(levels -> findInBins(known, known.with(levels), binSize))
        .filter(ChangePoint::isPlain);
  }

  private static int binSize(double[] series, int mostBins) {
    return (series.length + mostBins - 1) / mostBins;
  }

  private static Optional<Segment> findInBins(KnownValues known, KnownValues scores, int binSize) {
    KnownValues binned = binSize == 1 ? scores : scores.binned(binSize);
    SegmentSearch search =
        new SegmentSearch(
            binned.count(),
            (MIN_INSIDE + binSize - 1) / binSize,
            (MIN_OUTSIDE + binSize - 1) / binSize);
    Optional<SegmentSearch.Range> best = search.best(binned.values());
    if (best.isEmpty()) {
      return Optional.empty();
    }
    SegmentSearch.Range range = best.orElseThrow();
    double pValue = pValue(binned, search, range);
    SegmentSearch.Range sharp = binSize == 1 ? range : sharpen(range, binned, scores, binSize);
    Optional<Segment> found = describe(known, sharp, pValue);
    // Every value inside is above every value outside: only how wild they are hides the level.
    boolean isLevel = found.filter(all -> isPlain(all) && all.superiority() == 1).isPresent();
    if (pValue > PLAIN_TIMES * SIGNIFICANCE && isLevel) {
      KnownValues ranks = binned.with(RobustScores.ranks(binned.values()));
      double byRanks =
          search.best(ranks.values()).map(same -> pValue(ranks, search, same)).orElse(1.0);
      found = describe(known, sharp, byRanks);
    }
    return found
        .filter(segment -> segment.pValue() <= PLAIN_TIMES * SIGNIFICANCE)
        .filter(segment -> segment.isSignificant() || isPlain(segment));
  }

  private static double pValue(
      KnownValues binned, SegmentSearch search, SegmentSearch.Range range) {
    double alone =
        new Surrogates(binned)
            .pValue(search, range.gain(), PLAIN_TIMES * SIGNIFICANCE / RESOLUTIONS);
    return Math.min(1, RESOLUTIONS * alone);
  }

  private static boolean isPlain(Segment segment) {
    return segment.superiority() >= PLAIN_EFFECT
        && segment.meanInside() >= PLAIN_LEVELS * segment.meanOutside();
  }

  /** Sets the edges, so far between bins, between single values. */
  private static SegmentSearch.Range sharpen(
      SegmentSearch.Range coarse, KnownValues binned, KnownValues scores, int binSize) {
    int from = scores.firstAtOrAfter(binned.index(coarse.from()) * binSize);
    int to = scores.firstAtOrAfter((binned.index(coarse.to() - 1) + 1) * binSize);
    return new SegmentSearch(scores.count(), MIN_INSIDE, MIN_OUTSIDE)
        .bestNear(scores.values(), from, to, binSize)
        .orElse(new SegmentSearch.Range(from, to, coarse.gain()));
  }

  private static Optional<Segment> describe(
      KnownValues known, SegmentSearch.Range range, double pValue) {
    double[] values = known.values();
    double[] ranks = RobustScores.ranks(values);
    double inside = 0;
    double outside = 0;
    double rankSum = 0;
    for (int i = 0; i < values.length; i++) {
      if (range.contains(i)) {
        inside += values[i];
        rankSum += ranks[i];
      } else {
        outside += values[i];
      }
    }
    double m = range.to() - range.from();
    double rest = values.length - m;
    double superiority = (rankSum - m * (m + 1) / 2) / (m * rest);
    double meanInside = inside / m;
    double meanOutside = outside / rest;
    if (superiority < SMALL_EFFECT) {
      return Optional.empty();
    }
    return Optional.of(
        new Segment(
            known.index(range.from()),
            known.index(range.to() - 1) + 1,
            meanInside,
            meanOutside,
            Math.min(1, superiority),
            pValue));
  }

  /**
   * Values of two kinds with nothing between them. Where high values have several levels of their
   * own, the stretch of its highest values saves the most squares, and counts the rest as low; put
   * as low and high, all of it is one level.
   */
  private static final class LevelGap {

    /** The least high value is of another order of magnitude than the greatest low one. */
    private static final double LEAST_RATIO = 10;

    /**
     * A stretch has two edges: the values there are of both levels, as the level changes within
     * them, and may lie in the gap.
     */
    private static final int EDGES = 2;

    /**
     * 0 for a low value, 1 for a high one; of several gaps the widest counts.
     *
     * @param fewestLow as many values must be low, more than a stretch has edges
     * @param fewestHigh as many must be high
     * @return empty if no gap parts the values so, or if some are below 0, where a ratio says
     *     nothing
     */
    static Optional<double[]> of(double[] values, int fewestLow, int fewestHigh) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      double widest = 0;
      double middle = 0;
      for (int i = fewestLow; i <= sorted.length - fewestHigh; i++) {
        double low = sorted[i - 1 - EDGES];
        double gap = sorted[i] - low;
        if (sorted[0] >= 0 && sorted[i] >= LEAST_RATIO * low && gap > widest) {
          widest = gap;
          middle = low + gap / 2;
        }
      }
      double parting = middle;
      return widest > 0
          ? Optional.of(Arrays.stream(values).map(value -> value >= parting ? 1 : 0).toArray())
          : Optional.empty();
    }
  }

  /**
   * Series of chance that look like a given one but have no level of their own: its values, placed
   * in the order of an autoregressive series of order 1 with its persistence (amplitude-adjusted
   * surrogates, J. Theiler et al., "Testing for nonlinearity in time series: the method of
   * surrogate data", Physica D 58, 1992). Because the values are the same, outliers, ties and skew
   * cannot make a difference.
   */
  private static final class Surrogates {
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
     * and one in 10,000 without being significant by all rounds (of 600 more, five would have to
     * gain as much).
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
     * The share of chance series (the given one counted among them) that gain at least as much.
     * Stops early once it is clear on which side of the significance the value will be.
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
     * The autocorrelation at lag 1, from differences: for an autoregressive series the mean square
     * of differences over two steps is 1 + phi times that over one step. A change of level touches
     * only one or two of the differences, whereas it would dominate the usual estimate (compare S.
     * Chakar et al., "A robust approach for estimating change-points in the mean of an AR(1)
     * process", Bernoulli 23, 2017). Normal scores take the place of values, for a surrogate is
     * built from ranks. One standard error, about 1 over the root of the count, is added to err on
     * the side of chance.
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

    /**
     * The series of one round. Every round takes as many draws as there are steps, and the first.
     */
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
     * One stream of standard normal draws, always the same. Drawing takes longer than what is made
     * of the draws, and an analysis needs the stream's beginning for every series that it tests; so
     * what has been drawn is kept: for the longest series 999 x 301 draws, 2.4 MB.
     */
    private static final class NormalDraws {
      /** A fixed seed: which one does not matter, only that it never changes. */
      private static final long SEED = 20_170_317L;

      /** Drawn at a time: a hundred rounds of the longest series, after which most are judged. */
      private static final int BLOCK = 32 * 1024;

      private static final RandomGenerator RANDOM = new Well19937c(SEED);

      private static volatile double[] drawn = new double[0];

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

  /**
   * Looks through all stretches of a series for the one with the highest level. Taking a stretch of
   * m of n values out of a common mean lowers the sum of squares by s^2 n / (m (n - m)), where s is
   * the sum of the deviations in it from the common mean; prefix sums give s in one step.
   */
  static final class SegmentSearch {
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
}
