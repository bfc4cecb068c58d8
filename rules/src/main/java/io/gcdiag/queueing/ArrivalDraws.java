package io.gcdiag.queueing;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * The exponential draws of mean 1 that begin the stream of a seed. An analysis simulates many sizes
 * of a pool and of a heap under the same arrivals, and logarithms take most of the time of a run:
 * the first draws of a few seeds are kept, 1.6 MB each at most.
 */
final class ArrivalDraws {

  /** As many as the largest simulations of the diagnosis have requests. */
  private static final int MOST_KEPT = 200_000;

  private static final int MOST_SEEDS = 16;

  private static final Map<Long, ArrivalDraws> KNOWN = new ConcurrentHashMap<>();

  private final RandomGenerator random;
  private volatile double[] drawn = new double[0];

  private ArrivalDraws(long seed) {
    random = new Well19937c(seed);
  }

  /**
   * At least so many draws from the beginning of the stream.
   *
   * @return not to be changed
   */
  static double[] first(long seed, int count) {
    ArrivalDraws known = KNOWN.get(seed);
    if (known == null) {
      known = new ArrivalDraws(seed);
      if (count <= MOST_KEPT && KNOWN.size() < MOST_SEEDS) {
        ArrivalDraws other = KNOWN.putIfAbsent(seed, known);
        known = other == null ? known : other;
      }
    } else if (count > MOST_KEPT) {
      known = new ArrivalDraws(seed);
    }
    return known.first(count);
  }

  private double[] first(int count) {
    double[] known = drawn;
    return known.length >= count ? known : more(count);
  }

  private synchronized double[] more(int count) {
    int from = drawn.length;
    if (from < count) {
      double[] longer = Arrays.copyOf(drawn, count);
      for (int i = from; i < count; i++) {
        longer[i] = Draws.exponential(1, random);
      }
      drawn = longer;
    }
    return drawn;
  }
}
