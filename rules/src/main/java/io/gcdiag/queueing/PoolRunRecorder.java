package io.gcdiag.queueing;

import java.time.Duration;

/** Takes down what happens to each arrival, in order of arrival, and sums it up. */
final class PoolRunRecorder {
  private final ProcessClock clock;
  private final long horizon;
  private final long[] starts;
  private final long[] waits;
  private final long[] excesses;
  private int count;
  private int firstStillWaiting;
  private int longestLine;
  private long waitedWithinHorizon;
  private long lastWaitEnd;

  PoolRunRecorder(ProcessClock clock, int arrivals, long horizon) {
    this.clock = clock;
    this.horizon = horizon;
    this.starts = new long[arrivals];
    this.waits = new long[arrivals];
    this.excesses = new long[arrivals];
  }

  /** Arrival and attempt are wall times, the others process times, all in nanoseconds. */
  void record(long arrival, long attempt, long attemptOnProcess, long start, long end) {
    starts[count] = start;
    long wait = 0;
    if (start > attemptOnProcess) {
      wait = start - attemptOnProcess + clock.stalledBetween(attemptOnProcess, start);
      lastWaitEnd = attempt + wait;
      waitedWithinHorizon +=
          Math.max(0, Math.min(attempt + wait, horizon) - Math.min(attempt, horizon));
      noteLine(attemptOnProcess);
    }
    waits[count] = wait;
    // Stalls from attempt to end in one piece: one at the very moment of the handover counts once.
    excesses[count] =
        attempt - arrival + start - attemptOnProcess + clock.stalledBetween(attemptOnProcess, end);
    count++;
  }

  /** Service is in order, so those still waiting are the last ones, and their starts ascend. */
  private void noteLine(long now) {
    while (starts[firstStillWaiting] <= now) {
      firstStillWaiting++;
    }
    longestLine = Math.max(longestLine, count - firstStillWaiting + 1);
  }

  PoolRun finish() {
    return new PoolRun(
        new Times(waits),
        new Times(excesses),
        longestLine,
        (double) waitedWithinHorizon / horizon,
        Duration.ofNanos(lastWaitEnd));
  }
}
