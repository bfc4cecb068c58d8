package io.gcdiag.stats;

import org.apache.commons.math3.distribution.NormalDistribution;

/** How wide intervals of different levels are where errors are normally distributed. */
public final class NormalLevel {

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  /** How many standard deviations the ends of 95 % are from the middle. */
  public static final double OF_95_PERCENT = NORMAL.inverseCumulativeProbability((1 + 0.95) / 2);

  private NormalLevel() {}
}
