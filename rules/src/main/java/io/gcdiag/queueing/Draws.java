package io.gcdiag.queueing;

import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.util.FastMath;

/** Random draws that come out the same on every machine. */
final class Draws {
  /** By inversion; {@code 1 - u} lies above 0, so the logarithm is finite. */
  static double exponential(double mean, RandomGenerator random) {
    return -mean * FastMath.log(1 - random.nextDouble());
  }

  static long exponentialNanos(long meanNanos, RandomGenerator random) {
    return Math.round(exponential(meanNanos, random));
  }
}
