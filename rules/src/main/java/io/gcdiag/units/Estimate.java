package io.gcdiag.units;

/**
 * A figure that is known within bounds: a share by samples, the threads in a queue by dumps, a
 * latency that a model predicts. The unit is that of the figure.
 *
 * @param low lower end of the 95 % interval, or the least that the inputs allow; at least 0
 * @param likely the figure itself, between the two
 * @param high upper end, finite
 */
public record Estimate(double low, double likely, double high) {

  /** Standard deviations from the middle to the ends of 95 % of a normal distribution. */
  private static final double OF_95_PERCENT = 1.959964;

  /**
   * Distance of the 80 % bounds from the most likely value, if the 95 % bounds are at distance 1.
   */
  private static final double OF_STATED = 1.281552 / OF_95_PERCENT;

  /** The same for a range that begins at 0: 80 % lie below its upper bound. */
  private static final double OF_STATED_FROM_ZERO = 0.841621 / OF_95_PERCENT;

  /**
   * @throws IllegalArgumentException if the bounds are no range, or the figure is not in it
   */
  public Estimate {
    if (!(low >= 0 && likely >= low && high >= likely && Double.isFinite(high))) {
      throw new IllegalArgumentException(
          "no estimate: " + low + " to " + high + ", likely " + likely);
    }
  }

  /** Bounds that are factors: the most likely value is their geometric mean. */
  public Estimate(double low, double high) {
    this(
        low,
        low > 0 ? Math.max(low, Math.min(high, Math.sqrt(low * high))) : (low + high) / 2,
        high);
  }

  /** The same, whichever of the two is the lower one; nothing is below 0. */
  public static Estimate of(double one, double other) {
    return new Estimate(Math.max(0, Math.min(one, other)), Math.max(0, Math.max(one, other)));
  }

  /**
   * A share by independent samples, with the interval of 95 % by E. B. Wilson's score method
   * (Probable inference, the law of succession, and statistical inference, 1927).
   *
   * <p>A sample need not be a yes or no: it may be a share itself, such as that of a dump's
   * threads. Nothing between 0 and 1 varies more about its mean than what is always one of the two,
   * so that the interval is then on the safe side.
   *
   * @param mean of the samples, 0 to 1
   * @param samples how many, 1 or more
   */
  public static Estimate ofShare(double mean, double samples) {
    if (!(mean >= 0 && mean <= 1 && samples >= 1)) {
      throw new IllegalArgumentException("no share of samples: " + mean + " of " + samples);
    }
    double z2 = OF_95_PERCENT * OF_95_PERCENT / samples;
    double centre = (mean + z2 / 2) / (1 + z2);
    double half = Math.sqrt(z2 * (mean * (1 - mean) + z2 / 4)) / (1 + z2);
    return new Estimate(
        Math.min(mean, Math.max(0, centre - half)),
        mean,
        Math.max(mean, Math.min(1, centre + half)));
  }

  /**
   * The 80 % range for a log-normal error around the most likely value. If the lower bound is 0 it
   * remains 0.
   */
  public Estimate stated() {
    double part = low > 0 ? OF_STATED : OF_STATED_FROM_ZERO;
    return likely > 0
        ? new Estimate(
            Math.min(likely, likely * Math.pow(low / likely, part)),
            likely,
            Math.max(likely, likely * Math.pow(high / likely, part)))
        : new Estimate(low, likely, high * part);
  }

  /** The same limited to a largest value; the lower bound if all of it is above. */
  public Estimate upTo(double most) {
    double end = Math.max(low, Math.min(high, most));
    return new Estimate(low, Math.min(likely, end), end);
  }
}
