package io.gcdiag.queueing;

import java.time.Duration;

/**
 * A time in which the whole process is stopped.
 *
 * @param start when it begins, since the start of the simulated time, 0 or more
 * @param length how long it lasts, 0 or more
 */
public record Stall(Duration start, Duration length) {

  /**
   * @throws IllegalArgumentException if an argument is negative
   */
  public Stall {
    QueueingArguments.notNegative(start, "start");
    QueueingArguments.notNegative(length, "length");
  }

  /** When it is over. */
  Duration end() {
    return start.plus(length);
  }
}
