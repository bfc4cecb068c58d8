package io.gcdiag.queueing;

import java.time.Duration;

/**
 * What happened in one simulated run.
 *
 * @param waits for each arrival, the wait as the application sees it: from the attempt to borrow,
 *     which cannot fall into a stall, until it has the connection, stalls in between included
 * @param excesses for each arrival, by how much its response took longer than its hold time: time
 *     frozen before the attempt, the wait, and stalls while it held the connection
 * @param longestLine most arrivals that waited at the same time
 * @param meanWaiting mean number waiting, over the time until the horizon
 * @param lastWaitEnd when the last wait ended, since the start; 0 if nobody waited
 */
public record PoolRun(
    Times waits, Times excesses, int longestLine, double meanWaiting, Duration lastWaitEnd) {

  /** How many arrivals there were. */
  public int arrivals() {
    return waits.count();
  }
}
