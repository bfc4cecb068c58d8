package io.gcdiag.queueing;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The M/M/c queue: arrivals at random, hold times exponential, c servers, one line (A. K. Erlang,
 * 1917; L. Kleinrock, "Queueing Systems" I, 1975, section 3.5).
 *
 * <p>With load a = rate x hold, the probability of having to wait is C = B / (1 - (a / c) (1 - B)),
 * where B is Erlang's loss probability by the recursion B(0) = 1, B(k) = a B(k-1) / (k + a B(k-1)),
 * which stays between 0 and 1 for any number of servers. A wait is longer than t with probability C
 * exp(-(c / hold - rate) t).
 *
 * <p>If the load reaches the number of servers, the line grows without end: then {@link #isStable}
 * is false, every arrival waits, and there is no mean wait and no quantile of it.
 *
 * <p>Hold times that vary less than exponential ones wait less (a fixed hold time about half as
 * long), those that vary more wait longer.
 */
public final class ErlangC {
  /** Larger pools are refused: no pool of connections or threads comes near. */
  public static final int MOST_SERVERS = 100_000;

  private final double arrivalsPerSecond;
  private final double servedPerSecond;
  private final double waitProbability;

  private ErlangC(double arrivalsPerSecond, double servedPerSecond, double waitProbability) {
    this.arrivalsPerSecond = arrivalsPerSecond;
    this.servedPerSecond = servedPerSecond;
    this.waitProbability = waitProbability;
  }

  /**
   * A queue.
   *
   * @param arrivalsPerSecond arrival rate, 0 or more
   * @param hold mean hold time, above 0
   * @param servers pool size, 1 to {@value #MOST_SERVERS}
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public static ErlangC of(double arrivalsPerSecond, Duration hold, int servers) {
    LittlesLaw demand = new LittlesLaw(arrivalsPerSecond, hold);
    if (QueueingArguments.poolSize(servers, "servers") > MOST_SERVERS) {
      throw new IllegalArgumentException(
          "servers must be at most " + MOST_SERVERS + ", was " + servers);
    }
    double loss = 1;
    for (int k = 1; k <= servers; k++) {
      loss = nextLoss(loss, k, demand.concurrency());
    }
    return withLoss(demand, servers, loss);
  }

  /**
   * The smallest pool in which at most a given share waits longer than wanted.
   *
   * @param arrivalsPerSecond arrival rate, 0 or more
   * @param hold mean hold time, above 0
   * @param targetWait wait that is acceptable, 0 or more
   * @param probability share of arrivals that may not wait longer, 0 to below 1; 0.99 for a P99
   * @return empty if even {@value #MOST_SERVERS} would not do
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public static OptionalInt smallestPoolFor(
      double arrivalsPerSecond, Duration hold, Duration targetWait, double probability) {
    LittlesLaw demand = new LittlesLaw(arrivalsPerSecond, hold);
    QueueingArguments.notNegative(targetWait, "targetWait");
    QueueingArguments.quantile(probability, "probability");
    double loss = 1;
    for (int servers = 1; servers <= MOST_SERVERS; servers++) {
      loss = nextLoss(loss, servers, demand.concurrency());
      ErlangC queue = withLoss(demand, servers, loss);
      if (queue.isStable() && queue.probabilityOfWaitLongerThan(targetWait) <= 1 - probability) {
        return OptionalInt.of(servers);
      }
    }
    return OptionalInt.empty();
  }

  private static double nextLoss(double loss, int servers, double load) {
    return load * loss / (servers + load * loss);
  }

  private static ErlangC withLoss(LittlesLaw demand, int servers, double loss) {
    double utilisation = demand.utilisationOf(servers);
    double servedPerSecond = LittlesLaw.sustainableRatePerSecond(servers, demand.hold());
    // Both comparisons, for the two quotients can round to different sides.
    boolean stable = utilisation < 1 && demand.arrivalsPerSecond() < servedPerSecond;
    double waitProbability = stable ? loss / (1 - utilisation * (1 - loss)) : 1;
    return new ErlangC(
        demand.arrivalsPerSecond(), stable ? servedPerSecond : 0, Math.min(1, waitProbability));
  }

  /** Whether the servers can keep up. */
  public boolean isStable() {
    return servedPerSecond > 0;
  }

  /** Probability, 0 to 1, that an arrival has to wait; 1 if the queue is not stable. */
  public double waitProbability() {
    return waitProbability;
  }

  /** Mean wait of all arrivals, those that do not wait included; empty if not stable. */
  public Optional<Duration> meanWait() {
    return isStable()
        ? Optional.of(Durations.ofSeconds(waitProbability / sparePerSecond()))
        : Optional.empty();
  }

  /**
   * Probability, 0 to 1, that an arrival waits longer than a time; 1 if the queue is not stable.
   *
   * @throws IllegalArgumentException if the time is negative
   */
  double probabilityOfWaitLongerThan(Duration wait) {
    double seconds = Durations.seconds(QueueingArguments.notNegative(wait, "wait"));
    return isStable() ? waitProbability * Math.exp(-sparePerSecond() * seconds) : 1;
  }

  /**
   * The wait that a given share of arrivals does not exceed; empty if the queue is not stable.
   *
   * @param probability the share, 0 to below 1; 0.99 for the P99
   * @throws IllegalArgumentException if the probability is out of range
   */
  public Optional<Duration> waitQuantile(double probability) {
    QueueingArguments.quantile(probability, "probability");
    if (!isStable()) {
      return Optional.empty();
    }
    double allowed = 1 - probability;
    return Optional.of(
        waitProbability <= allowed
            ? Duration.ZERO
            : Durations.ofSeconds(Math.log(waitProbability / allowed) / sparePerSecond()));
  }

  private double sparePerSecond() {
    return servedPerSecond - arrivalsPerSecond;
  }
}
