package io.gcdiag;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.PoolDemand.Known;
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

  /** The files with the windows that were found in them. */
  private record Compared(Timeline timeline, Windows windows) implements Incident {}

  static PoolFacts of(Timeline timeline, Windows windows) {
    Incident incident = new Compared(timeline, windows);
    Window window = windows.incident();
    Window usual = windows.baseline().orElse(window);
    return new PoolFacts(
        PoolDemand.rate(incident, window),
        PoolDemand.hold(incident, usual).or(() -> PoolDemand.hold(incident, window)),
        PoolDemand.size(timeline, window));
  }
}
