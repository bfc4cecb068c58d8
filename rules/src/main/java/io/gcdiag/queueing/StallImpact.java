package io.gcdiag.queueing;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * What one stall of the whole process does to a pool, in mean values and without randomness (the
 * fluid approximation, L. Kleinrock, "Queueing Systems" II, 1976, chapter 2).
 *
 * <p>While the process is stopped, arrivals gather outside; when it goes on, they all want a
 * connection at once. Those beyond the free connections are the backlog.
 *
 * @param arrivalsPerSecond arrival rate, 0 or more
 * @param stall length of the stall, 0 or more
 * @param poolSize connections in the pool, at least 1
 * @param hold mean hold time, above 0
 * @param busyAtStart mean number in use when the stall begins, 0 to the pool size; these are still
 *     in use when it ends. 0 gives the least backlog there can be, {@code rate x hold} the usual
 *     one
 */
public record StallImpact(
    double arrivalsPerSecond, Duration stall, int poolSize, Duration hold, double busyAtStart) {

  /**
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public StallImpact {
    QueueingArguments.rate(arrivalsPerSecond, "arrivalsPerSecond");
    QueueingArguments.notNegative(stall, "stall");
    QueueingArguments.poolSize(poolSize, "poolSize");
    QueueingArguments.positive(hold, "hold");
    if (!(busyAtStart >= 0 && busyAtStart <= poolSize)) {
      throw new IllegalArgumentException(
          "busyAtStart must be from 0 to the pool size, was " + busyAtStart);
    }
  }

  /** Arrivals during the stall, {@code rate x stall}: 800/s x 31 ms = 24.8. */
  public double arrivals() {
    return arrivalsPerSecond * Durations.seconds(stall);
  }

  /**
   * How many of them must wait when the stall ends: arrivals beyond the free connections, 0 or
   * more. 24.8 arrivals at 10 idle connections leave 14.8.
   */
  public double backlog() {
    return Math.max(0, arrivals() - (poolSize - busyAtStart));
  }

  /** What the fully used pool serves per second, {@code pool size / hold}: 10 / 4.32 ms = 2,315. */
  double servedPerSecond() {
    return LittlesLaw.sustainableRatePerSecond(poolSize, hold);
  }

  /**
   * Time from the end of the stall until no request waits, {@code backlog / (served - arriving)}.
   * This is the figure to report: while the backlog is worked off, arrivals go on and stand behind
   * it. 14.8 / (2,315 - 800) = 9.8 ms. Empty if the pool cannot keep up with the arrivals and a
   * backlog would stay.
   */
  public Optional<Duration> drainTime() {
    if (backlog() == 0) {
      return Optional.of(Duration.ZERO);
    }
    double spare = servedPerSecond() - arrivalsPerSecond;
    return spare > 0 ? Optional.of(Durations.ofSeconds(backlog() / spare)) : Optional.empty();
  }

  /**
   * How long the last of the backlog waits for its connection, {@code backlog / served}: 14.8 /
   * 2,315 = 6.4 ms. This is also the time to work off the backlog if arrivals stopped, and so a
   * lower bound of {@link #drainTime}. It is the longest wait that the application itself can see:
   * time spent frozen comes before the borrowing.
   */
  public Duration longestPoolWait() {
    return Durations.ofSeconds(backlog() / servedPerSecond());
  }
}
