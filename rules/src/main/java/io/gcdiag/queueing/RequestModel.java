package io.gcdiag.queueing;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * Requests to simulate: each passes a station of so many servers (cores, request threads, the
 * connections of a pool), waits there if all are taken, and then takes some time more without
 * competition. During a stall of the process neither makes progress.
 *
 * @param arrivalsPerSecond their rate, 0 or more; they come at random, independently
 * @param servers how many; absent if there are enough for all
 * @param service how long each holds its server, stalls not counted
 * @param rest how long each takes beyond that, stalls not counted
 * @param horizon how long arrivals come, above 0; all of them are served
 * @param stalls when the process is stopped, in any order; overlapping ones count once
 */
public record RequestModel(
    double arrivalsPerSecond,
    OptionalInt servers,
    HoldTime service,
    HoldTime rest,
    Duration horizon,
    List<Stall> stalls) {

  /** More arrivals than this would take more memory than a diagnosis is worth. */
  private static final int MOST_ARRIVALS = 20_000_000;

  /** Three years: a simulated line must not outgrow the 292 years that nanoseconds can count. */
  private static final double MOST_SECONDS_OF_WORK = 1e8;

  /** No time worth speaking of, for a station or a rest that a model does not have. */
  public static final HoldTime NOTHING = new HoldTime.Fixed(Duration.ofNanos(1));

  /**
   * @throws IllegalArgumentException if an argument is out of its range, or the model {@link
   *     #canRun cannot be run}
   */
  public RequestModel {
    QueueingArguments.rate(arrivalsPerSecond, "arrivalsPerSecond");
    servers.ifPresent(count -> QueueingArguments.poolSize(count, "servers"));
    QueueingArguments.positive(horizon, "horizon");
    if (!canRun(arrivalsPerSecond, servers.orElse(Integer.MAX_VALUE), service.mean(), horizon)) {
      throw new IllegalArgumentException(
          "too much to simulate: " + arrivalsPerSecond + "/s for " + horizon);
    }
    stalls = List.copyOf(stalls);
  }

  /** A pool: its connections are the servers, and only what holds one is simulated. */
  public static RequestModel ofPool(
      double arrivalsPerSecond, int size, HoldTime hold, Duration horizon, List<Stall> stalls) {
    return new RequestModel(
        arrivalsPerSecond, OptionalInt.of(size), hold, NOTHING, horizon, stalls);
  }

  /**
   * Whether a model of this kind can be run: not more than 20 million arrivals, and served within
   * three years.
   *
   * @param arrivalsPerSecond their rate, 0 or more
   * @param servers at least 1
   * @param service mean time each holds its server
   * @param horizon how long arrivals come
   */
  public static boolean canRun(
      double arrivalsPerSecond, int servers, Duration service, Duration horizon) {
    double expected = arrivalsPerSecond * Durations.seconds(horizon);
    return expected <= MOST_ARRIVALS
        && Durations.seconds(horizon) <= MOST_SECONDS_OF_WORK
        && Math.max(1, expected / servers) * Durations.seconds(service) <= MOST_SECONDS_OF_WORK;
  }
}
