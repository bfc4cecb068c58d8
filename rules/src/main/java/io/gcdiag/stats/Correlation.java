package io.gcdiag.stats;

import java.util.Optional;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.stat.correlation.PearsonsCorrelation;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;

/**
 * How closely two series in time move together, and how sure that is.
 *
 * <p>Neighbouring values of a series in time repeat each other, so that n of them tell less than n
 * values drawn one by one. They are worth about n (1 - a b) / (1 + a b), with the autocorrelations
 * a and b of the two series at lag 1 (G. V. Bayley and J. M. Hammersley, "The 'effective' number of
 * independent observations in an autocorrelated time series", JRSS Supplement 8, 1946, for series
 * of first order). Without that, two random walks that have nothing to do with each other count as
 * related more often than not (G. U. Yule, "Why do we sometimes get nonsense-correlations between
 * time-series?", JRSS 89, 1926).
 *
 * <p>Interval and p-value follow from Fisher's z = artanh(r), which is nearly normal with the
 * variance 1 / (n - 3), for ranks 1.06 / (n - 3) (E. C. Fieller, H. O. Hartley and E. S. Pearson,
 * "Tests for rank correlation coefficients", Biometrika 44, 1957). With three effective values or
 * fewer nothing is known of r, and the interval is all of -1 to 1.
 *
 * @param count pairs of values
 * @param effectiveCount independent pairs that they are worth, 0 to {@code count}
 * @param r the coefficient, -1 to 1
 * @param low lower end of its 95 % confidence interval
 * @param high upper end of it
 * @param pValue probability, 0 to 1, of a coefficient at least this far from 0 without any relation
 */
public record Correlation(
    int count, double effectiveCount, double r, double low, double high, double pValue) {

  /** With fewer pairs Fisher's z has no variance. */
  public static final int FEWEST_PAIRS = 4;

  private static final double PEARSON_VARIANCE = 1;
  private static final double RANK_VARIANCE = 1.06;

  /** What Fisher's z takes away from the count. */
  private static final double LOST = 3;

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  /** Spreads below this share of the values are what their rounding leaves. */
  private static final double ROUNDING = 1e-12;

  /**
   * Pearson's coefficient: how closely the values lie to a straight line. One wild pair can make
   * it.
   *
   * @param x values at equal steps of time, NaN where unknown
   * @param y the same of the other series, as many as in x
   * @return empty if fewer than {@value #FEWEST_PAIRS} pairs are known or one of the series does
   *     not vary in them
   * @throws IllegalArgumentException if the lengths differ or a value is infinite
   */
  public static Optional<Correlation> pearson(double[] x, double[] y) {
    return Pairs.of(x, y)
        .filter(Pairs::vary)
        .map(
            pairs ->
                of(
                    pairs,
                    new PearsonsCorrelation().correlation(pairs.x.values(), pairs.y.values()),
                    PEARSON_VARIANCE));
  }

  /** Spearman's coefficient, that of the ranks: whether one goes up when the other does. */
  public static Optional<Correlation> spearman(double[] x, double[] y) {
    return Pairs.of(x, y)
        .filter(Pairs::vary)
        .map(
            pairs ->
                of(
                    pairs.ranked(),
                    new SpearmansCorrelation().correlation(pairs.x.values(), pairs.y.values()),
                    RANK_VARIANCE));
  }

  private static Correlation of(Pairs pairs, double coefficient, double variance) {
    double r = Math.max(-1, Math.min(1, coefficient));
    double effective = pairs.effectiveCount();
    if (effective <= LOST) {
      return new Correlation(pairs.count(), effective, r, -1, 1, 1);
    }
    double deviation = Math.sqrt(variance / (effective - LOST));
    double z = 0.5 * Math.log((1 + r) / (1 - r));
    double beyond =
        Double.isInfinite(z) ? 0 : NORMAL.cumulativeProbability(-Math.abs(z / deviation));
    return new Correlation(
        pairs.count(),
        effective,
        r,
        Math.min(r, Math.tanh(z - NormalLevel.OF_95_PERCENT * deviation)),
        Math.max(r, Math.tanh(z + NormalLevel.OF_95_PERCENT * deviation)),
        Math.min(1, 2 * beyond));
  }

  /** What is known of both series, at the same places. */
  private record Pairs(KnownValues x, KnownValues y) {

    static Optional<Pairs> of(double[] x, double[] y) {
      if (x.length != y.length) {
        throw new IllegalArgumentException(
            "x and y must have the same length, were " + x.length + " and " + y.length);
      }
      double[] a = x.clone();
      double[] b = y.clone();
      for (int i = 0; i < a.length; i++) {
        a[i] = Double.isNaN(b[i]) ? Double.NaN : a[i];
        b[i] = Double.isNaN(a[i]) ? Double.NaN : b[i];
      }
      Pairs pairs = new Pairs(KnownValues.of(a), KnownValues.of(b));
      return pairs.count() < FEWEST_PAIRS ? Optional.empty() : Optional.of(pairs);
    }

    int count() {
      return x.count();
    }

    boolean vary() {
      return varies(x.values()) && varies(y.values());
    }

    Pairs ranked() {
      return new Pairs(
          x.with(RobustScores.ranks(x.values())), y.with(RobustScores.ranks(y.values())));
    }

    /** Never more than there are: what is gained by swinging to and fro is not counted. */
    double effectiveCount() {
      double product = autocorrelation(x) * autocorrelation(y);
      return Math.min(count(), count() * (1 - product) / (1 + product));
    }
  }

  /** Whether two of the values differ by more than rounding; those not known (NaN) do not count. */
  public static boolean varies(double[] values) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    return high - low > ROUNDING * Math.max(Math.abs(low), Math.abs(high));
  }

  /** At lag 1, from one known value to the next; -1 to 1. */
  private static double autocorrelation(KnownValues series) {
    double[] values = series.values();
    double mean = 0;
    for (double value : values) {
      mean += value / values.length;
    }
    double square = 0;
    double product = 0;
    for (int i = 0; i < values.length; i++) {
      square += (values[i] - mean) * (values[i] - mean);
      product += i == 0 ? 0 : (values[i] - mean) * (values[i - 1] - mean);
    }
    double neighbours = values.length - 1;
    return Math.max(-1, Math.min(1, product / neighbours / (square / values.length)));
  }
}
