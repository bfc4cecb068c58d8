package io.gcdiag.loadtests;

import io.gcdiag.stats.Correlation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A series against the tail.
 *
 * @param candidate the series
 * @param intervals in which both are known
 * @param pearson of the same intervals
 * @param spearman of the same intervals
 * @param steady whether Pearson's coefficient holds without the few intervals that make most of it
 * @param shifted where the two are closest if one is moved in time, and clearly closer
 */
record Measured(
    Candidate candidate,
    int intervals,
    Optional<Correlation> pearson,
    Optional<Correlation> spearman,
    boolean steady,
    Optional<Moved> shifted) {

  /** A relation must not hang on this share of the intervals. */
  private static final double FEW = 0.05;

  /**
   * A shift must bring this much: less comes about by chance, for the neighbours of an interval
   * resemble it.
   */
  private static final double SHIFT_GAIN = 0.1;

  static Measured of(Candidate candidate, double[] tail) {
    double[] values = candidate.values();
    int known = 0;
    for (int i = 0; i < tail.length; i++) {
      known += Double.isNaN(tail[i]) || Double.isNaN(values[i]) ? 0 : 1;
    }
    Optional<Correlation> pearson = Correlation.pearson(values, tail);
    return new Measured(
        candidate,
        known,
        pearson,
        Correlation.spearman(values, tail),
        pearson.filter(r -> steady(values, tail, r)).isPresent(),
        pearson.flatMap(together -> Moved.closest(values, tail, Math.abs(together.r()))));
  }

  boolean enough() {
    return intervals >= Correlator.FEWEST_INTERVALS;
  }

  /** Corrected for the shifts that were tried. */
  double shiftChance() {
    return shifted
        .filter(Moved::steady)
        .map(moved -> Math.min(1, 2 * Correlator.MOST_SHIFT * moved.pearson().pValue()))
        .orElse(1.0);
  }

  /** Whether chance could not do as much without the intervals that speak most for a relation. */
  private static boolean steady(double[] values, double[] tail, Correlation relation) {
    double[] rest = values.clone();
    double meanValue = mean(values, tail);
    double meanTail = mean(tail, values);
    int few = (int) Math.ceil(FEW * relation.count());
    IntStream.range(0, rest.length)
        .filter(i -> !Double.isNaN(values[i]) && !Double.isNaN(tail[i]))
        .boxed()
        .sorted(
            Comparator.comparingDouble(
                i -> -Math.signum(relation.r()) * (values[i] - meanValue) * (tail[i] - meanTail)))
        .limit(few)
        .forEach(i -> rest[i] = Double.NaN);
    return Correlation.pearson(rest, tail)
        .filter(r -> r.r() * relation.r() > 0 && r.pValue() < Correlator.Leads.SIGNIFICANT)
        .isPresent();
  }

  /** The mean of the values that are known together with the others. */
  private static double mean(double[] values, double[] others) {
    return IntStream.range(0, values.length)
        .filter(i -> !Double.isNaN(values[i]) && !Double.isNaN(others[i]))
        .mapToDouble(i -> values[i])
        .average()
        .orElse(0);
  }

  /**
   * A series against the tail at another time.
   *
   * @param by intervals that the series is ahead
   * @param pearson the coefficient
   * @param steady whether it holds without the few intervals that make most of it
   */
  record Moved(int by, Correlation pearson, boolean steady) {

    static Optional<Moved> closest(double[] values, double[] tail, double together) {
      Optional<Moved> best = Optional.empty();
      double closest = together + SHIFT_GAIN;
      for (int by = -Correlator.MOST_SHIFT; by <= Correlator.MOST_SHIFT; by++) {
        double[] moved = moved(values, by);
        Optional<Correlation> pearson =
            Correlation.pearson(moved, tail).filter(p -> p.count() >= Correlator.FEWEST_INTERVALS);
        if (by != 0 && pearson.isPresent() && Math.abs(pearson.get().r()) > closest) {
          closest = Math.abs(pearson.get().r());
          best =
              Optional.of(
                  new Moved(by, pearson.get(), Measured.steady(moved, tail, pearson.get())));
        }
      }
      return best;
    }

    /** What was so many intervals before. */
    private static double[] moved(double[] values, int by) {
      double[] moved = new double[values.length];
      Arrays.setAll(
          moved, i -> i - by >= 0 && i - by < values.length ? values[i - by] : Double.NaN);
      return moved;
    }
  }
}
