package io.gcdiag.stats;

import org.apache.commons.math3.distribution.BinomialDistribution;

/** Trials with two outcomes, each as likely every time and none dependent on another. */
public final class Trials {

  private Trials() {}

  /**
   * Probability of an outcome in so many trials or more, by the binomial distribution.
   *
   * @param times how often, 0 to {@code trials}
   * @param trials how many, 0 or more
   * @param probability of the outcome in one, 0 to 1
   */
  public static double atLeast(int times, int trials, double probability) {
    return 1 - new BinomialDistribution(null, trials, probability).cumulativeProbability(times - 1);
  }
}
