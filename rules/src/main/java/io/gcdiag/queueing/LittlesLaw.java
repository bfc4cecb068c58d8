package io.gcdiag.queueing;

import io.gcdiag.units.Durations;
import java.time.Duration;

/**
 * Little's law: on average, concurrency = arrival rate x time held (J. D. C. Little, "A Proof for
 * the Queuing Formula: L = lambda W", Operations Research 9, 1961). It holds for any distribution
 * and any order of service, as long as what arrives also leaves.
 *
 * @param arrivalsPerSecond arrival rate, 0 or more
 * @param hold mean time one arrival holds its connection or thread, above 0
 */
public record LittlesLaw(double arrivalsPerSecond, Duration hold) {

  /**
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public LittlesLaw {
    QueueingArguments.rate(arrivalsPerSecond, "arrivalsPerSecond");
    QueueingArguments.positive(hold, "hold");
  }

  /**
   * Mean number held at the same time, which is also the load in erlang: 1000/s x 4.32 ms = 4.32.
   */
  public double concurrency() {
    return arrivalsPerSecond * Durations.seconds(hold);
  }

  /**
   * Mean share of a pool in use, as a fraction; 1 or more means that the pool cannot keep up.
   *
   * @throws IllegalArgumentException if the pool size is below 1
   */
  public double utilisationOf(int poolSize) {
    return concurrency() / QueueingArguments.poolSize(poolSize, "poolSize");
  }

  /**
   * The rate per second at which a pool is fully used: {@code poolSize / hold}. Every rate below it
   * can be kept up for ever, this one only without any randomness.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public static double sustainableRatePerSecond(int poolSize, Duration hold) {
    return QueueingArguments.poolSize(poolSize, "poolSize")
        / Durations.seconds(QueueingArguments.positive(hold, "hold"));
  }
}
