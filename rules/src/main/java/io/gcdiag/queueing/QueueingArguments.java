package io.gcdiag.queueing;

import java.time.Duration;

/** Argument checks shared by this package; each message names the argument. */
final class QueueingArguments {
  static final double NANOS_PER_SECOND = 1e9;

  static void rate(double perSecond, String name) {
    if (!Double.isFinite(perSecond) || perSecond < 0) {
      throw new IllegalArgumentException(
          name + " must be a finite number of 0 or more, was " + perSecond);
    }
  }

  static Duration positive(Duration duration, String name) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be longer than 0, was " + duration);
    }
    return duration;
  }

  static Duration notNegative(Duration duration, String name) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative, was " + duration);
    }
    return duration;
  }

  static int poolSize(int size, String name) {
    if (size < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, was " + size);
    }
    return size;
  }

  /** A probability of 1 is left out: a time that is never exceeded does not exist. */
  static void quantile(double probability, String name) {
    if (!(probability >= 0 && probability < 1)) {
      throw new IllegalArgumentException(name + " must be from 0 to below 1, was " + probability);
    }
  }
}
