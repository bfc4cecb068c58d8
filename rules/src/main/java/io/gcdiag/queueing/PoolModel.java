package io.gcdiag.queueing;

import java.time.Duration;
import java.util.List;

/**
 * A pool to simulate. It starts idle; arrivals come until the horizon, and all of them are served.
 *
 * @param arrivals how they follow each other
 * @param arrivalsPerSecond their rate, 0 or more
 * @param poolSize connections, at least 1
 * @param hold how long each holds its connection, stalls not counted
 * @param horizon how long arrivals come, above 0
 * @param stalls when the process stands still, in any order; overlapping ones count once
 */
public record PoolModel(
    Arrivals arrivals,
    double arrivalsPerSecond,
    int poolSize,
    HoldTime hold,
    Duration horizon,
    List<Stall> stalls) {

  /** More arrivals than this would take more memory than a diagnosis is worth. */
  public static final int MOST_ARRIVALS = 20_000_000;

  /** Three years: a simulated line must not outgrow the 292 years that nanoseconds can count. */
  private static final double MOST_SECONDS_OF_WORK = 1e8;

  /** How arrivals follow each other. */
  public enum Arrivals {
    /** At random, independently (a Poisson process), as the requests of many users are. */
    POISSON,
    /** Evenly spaced, the first at the start. */
    EVEN
  }

  /**
   * Whether a model of this kind can be run: not more than {@value #MOST_ARRIVALS} arrivals, and
   * served within three years.
   *
   * @param arrivalsPerSecond their rate, 0 or more
   * @param poolSize connections, at least 1
   * @param hold mean time each holds its connection
   * @param horizon how long arrivals come
   */
  public static boolean canRun(
      double arrivalsPerSecond, int poolSize, Duration hold, Duration horizon) {
    double expected = arrivalsPerSecond * Checks.seconds(horizon);
    return expected <= MOST_ARRIVALS
        && Checks.seconds(horizon) <= MOST_SECONDS_OF_WORK
        && Math.max(1, expected / poolSize) * Checks.seconds(hold) <= MOST_SECONDS_OF_WORK;
  }

  /**
   * @throws IllegalArgumentException if an argument is out of its range, more than {@value
   *     #MOST_ARRIVALS} arrivals would have to be simulated, or serving them would take years
   */
  public PoolModel {
    Checks.rate(arrivalsPerSecond, "arrivalsPerSecond");
    Checks.poolSize(poolSize, "poolSize");
    Checks.positive(horizon, "horizon");
    double expected = arrivalsPerSecond * Checks.seconds(horizon);
    if (expected > MOST_ARRIVALS) {
      throw new IllegalArgumentException(
          "horizon must hold at most " + MOST_ARRIVALS + " arrivals, was " + horizon);
    }
    if (Checks.seconds(horizon) > MOST_SECONDS_OF_WORK) {
      throw new IllegalArgumentException("horizon must be at most three years, was " + horizon);
    }
    if (Math.max(1, expected / poolSize) * Checks.seconds(hold.mean()) > MOST_SECONDS_OF_WORK) {
      throw new IllegalArgumentException(
          "hold must be served within three years, was " + hold.mean());
    }
    stalls = List.copyOf(stalls);
  }
}
