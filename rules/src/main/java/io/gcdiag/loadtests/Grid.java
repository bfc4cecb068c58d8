package io.gcdiag.loadtests;

import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;

/**
 * Time cut into intervals of equal length.
 *
 * @param from start of the first
 */
record Grid(Instant from, Duration step, int count) {

  Grid {
    if (count < 1 || step.isZero() || step.isNegative()) {
      throw new IllegalArgumentException(count + " intervals of " + step);
    }
  }

  Window window(int i) {
    Instant start = from.plus(step.multipliedBy(i));
    return new Window(start, start.plus(step));
  }

  Window whole() {
    return new Window(from, from.plus(step.multipliedBy(count)));
  }

  /** The interval that holds an instant; before the first it is -1, after the last the count. */
  int index(Instant at) {
    Window whole = whole();
    if (!whole.contains(at)) {
      return at.isBefore(from) ? -1 : count;
    }
    return (int) Duration.between(from, at).dividedBy(step);
  }

  boolean holds(int index) {
    return index >= 0 && index < count;
  }
}
