package io.gcdiag.queueing;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * Requests to simulate: each passes a station of so many servers (cores, request threads, the
 * connections of a pool), waits there if all are taken, and then takes some time more that nobody
 * competes for. During a stall of the process neither makes progress.
 *
 * @param arrivalsPerSecond their rate, 0 or more; they come at random, independently
 * @param servers how many; absent if there are enough for everybody
 * @param service how long each holds its server, stalls not counted
 * @param rest how long each takes beyond that, stalls not counted
 * @param horizon how long arrivals come, above 0
 * @param stalls when the process stands still, in any order; overlapping ones count once
 */
public record RequestModel(
    double arrivalsPerSecond,
    OptionalInt servers,
    HoldTime service,
    HoldTime rest,
    Duration horizon,
    List<Stall> stalls) {

  /** No time worth speaking of, for a station or a rest that a model does not have. */
  public static final HoldTime NOTHING = new HoldTime.Fixed(Duration.ofNanos(1));

  /**
   * @throws IllegalArgumentException if an argument is out of its range, more than {@value
   *     PoolModel#MOST_ARRIVALS} arrivals would have to be simulated, or serving them would take
   *     years
   */
  public RequestModel {
    Checks.rate(arrivalsPerSecond, "arrivalsPerSecond");
    servers.ifPresent(count -> Checks.poolSize(count, "servers"));
    Checks.positive(horizon, "horizon");
    if (!PoolModel.canRun(
        arrivalsPerSecond, servers.orElse(Integer.MAX_VALUE), service.mean(), horizon)) {
      throw new IllegalArgumentException(
          "too much to simulate: " + arrivalsPerSecond + "/s for " + horizon);
    }
    stalls = List.copyOf(stalls);
  }
}
