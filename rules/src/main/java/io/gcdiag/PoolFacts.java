package io.gcdiag;

import io.gcdiag.accounts.pool.PoolDemand;
import io.gcdiag.accounts.pool.PoolDemand.Known;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Optional;

/**
 * What files say of the demand on a connection pool. The hold time is that of the baseline where
 * there is one: what lengthens it in the incident is no part of the demand.
 *
 * @param rate borrows per second in the incident, or over all
 * @param hold how long a connection is held when nothing is in the way
 * @param size connections the pool may open
 */
public record PoolFacts(
    Optional<Known<Rate>> rate, Optional<Known<Duration>> hold, Optional<Known<Integer>> size) {

  static PoolFacts of(Timeline timeline, Windows windows) {
    Window window = windows.incident();
    Window usual = windows.baseline().orElse(window);
    return new PoolFacts(
        PoolDemand.rate(timeline, window),
        PoolDemand.hold(timeline, usual).or(() -> PoolDemand.hold(timeline, window)),
        PoolDemand.size(timeline, window));
  }
}
