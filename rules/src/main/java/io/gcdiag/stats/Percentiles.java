package io.gcdiag.stats;

/** Percentiles by name, in percent as load tests print them. */
public final class Percentiles {

  /** Half of all are below it. */
  public static final double MEDIAN = 50;

  /** Nine in ten are below it. */
  public static final double NINE_OF_TEN = 90;

  /** The next one that load tests print. */
  public static final double NEARLY_ALL = 95;

  /** One in a hundred is above it. */
  public static final double TAIL = 99;

  /** The percentile of the largest value. */
  public static final double WHOLE = 100;

  private Percentiles() {}
}
