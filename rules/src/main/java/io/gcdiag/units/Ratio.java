package io.gcdiag.units;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A dimensionless ratio; 1 is the whole. Printed in percent with one decimal.
 *
 * @param value any finite number; a share lies between 0 and 1, a change may be negative or above 1
 */
public record Ratio(double value) implements Comparable<Ratio> {

  private static final double PERCENT = 100.0;
  private static final double HALF_A_TENTH = 0.05;

  /** Shares are printed in tenths of a percent. */
  private static final double TENTHS = 1000;

  /** From here on a decimal of a percentage says nothing. */
  private static final double WHOLE = 0.9995;

  /** Ten times as much is ninefold growth. */
  private static final double GRASPED_AS_FACTOR = 9;

  public Ratio {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("a ratio must be a finite number: " + value);
    }
  }

  /** The ratio that the given percentage stands for. */
  public static Ratio ofPercent(double percent) {
    return new Ratio(percent / PERCENT);
  }

  /** This ratio in percent: 0.211 gives 21.1. */
  public double percent() {
    return value * PERCENT;
  }

  /**
   * As a change, with about three digits: {@code -65.9 %}, {@code +306 %}, and from a tenfold on as
   * a factor, which is easier to grasp: {@code x 20.1}.
   */
  public String signed() {
    if (value >= GRASPED_AS_FACTOR) {
      return "x " + Numbers.threeDigits(1 + value);
    }
    double percent = printed();
    return (percent < 0 ? "" : "+")
        + Numbers.decimals(percent, Math.abs(value) < WHOLE ? 1 : 0)
        + " %";
  }

  /**
   * Where a share lies, in whole percents as intervals deserve: {@code 60 to 100 %}.
   *
   * @param low a finite number
   * @param high not less than that
   */
  public static String range(double low, double high) {
    String to = whole(high);
    String from = whole(low);
    return from.equals(to) ? to : Numbers.decimals(low * PERCENT, 0) + " to " + to;
  }

  /**
   * Parts as they are printed, in tenths of a percent, so that they add up to the printed whole:
   * where their rounded figures do not, those change by a tenth whose rounding was closest (largest
   * remainder method). What prints as more than zero keeps doing so.
   *
   * @param parts shares of one thing, 0 or more
   */
  public static List<Double> parts(List<Double> parts) {
    return parts(parts.stream().mapToDouble(part -> part).sum(), parts);
  }

  /**
   * The same, where the printed whole is known.
   *
   * @param whole what the parts make, but for rounding
   */
  public static List<Double> parts(double whole, List<Double> parts) {
    double[] tenths = parts.stream().mapToDouble(part -> Math.rint(part * TENTHS)).toArray();
    long off = Math.round(whole * TENTHS - Arrays.stream(tenths).sum());
    int step = Long.signum(off);
    for (long left = Math.min(Math.abs(off), tenths.length); left > 0; left--) {
      IntStream.range(0, tenths.length)
          .filter(i -> step > 0 || tenths[i] > 1)
          .boxed()
          .max(Comparator.comparingDouble(i -> step * (parts.get(i) * TENTHS - tenths[i])))
          .ifPresent(i -> tenths[i] += step);
    }
    return Arrays.stream(tenths).mapToObj(part -> part / TENTHS).toList();
  }

  /** In whole percents: {@code 60 %}. */
  public static String whole(double value) {
    return Numbers.decimals(value * PERCENT, 0) + " %";
  }

  /**
   * As a part of a whole: {@code none} for zero, and {@code less than 0.1 %} for what would print
   * so.
   */
  public String share() {
    return value == 0 ? "none" : value > 0 && printed() == 0 ? "less than 0.1 %" : toString();
  }

  @Override
  public int compareTo(Ratio other) {
    return Double.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Numbers.decimals(printed(), 1) + " %";
  }

  /** Whether a zero is printed. */
  public boolean isNothing() {
    return Math.abs(percent()) < HALF_A_TENTH;
  }

  /** In percent; what would round to a zero is one, without a minus. */
  private double printed() {
    return isNothing() ? 0 : percent();
  }
}
