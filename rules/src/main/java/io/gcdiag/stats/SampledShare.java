package io.gcdiag.stats;

/**
 * The interval of 95 % of a share that is known from samples, by E. B. Wilson's score method
 * (Probable inference, the law of succession, and statistical inference, 1927).
 *
 * <p>A sample need not be a yes or no: it may be a share itself, such as that of a dump's threads.
 * Nothing between 0 and 1 varies more about its mean than what is always one of the two, so that
 * the interval is then on the safe side, whatever the threads of one dump have to do with each
 * other.
 *
 * @param low 0 to {@code mean}
 * @param mean of the samples, 0 to 1
 * @param high {@code mean} to 1
 */
public record SampledShare(double low, double mean, double high) {

  /**
   * By independent samples.
   *
   * @param mean of the samples, 0 to 1
   * @param samples how many, 1 or more
   */
  public static SampledShare of(double mean, double samples) {
    if (!(mean >= 0 && mean <= 1 && samples >= 1)) {
      throw new IllegalArgumentException("no share of samples: " + mean + " of " + samples);
    }
    double z2 = NormalLevel.OF_95_PERCENT * NormalLevel.OF_95_PERCENT / samples;
    double centre = (mean + z2 / 2) / (1 + z2);
    double half = Math.sqrt(z2 * (mean * (1 - mean) + z2 / 4)) / (1 + z2);
    return new SampledShare(
        Math.min(mean, Math.max(0, centre - half)),
        mean,
        Math.max(mean, Math.min(1, centre + half)));
  }
}
