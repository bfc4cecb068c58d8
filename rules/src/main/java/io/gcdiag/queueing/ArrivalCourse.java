package io.gcdiag.queueing;

import java.util.Arrays;

/**
 * How the arrivals of a run spread over its time: a Poisson process whose rate changes from one
 * part of the time to the next (a random time change, as in D. J. Daley and D. Vere-Jones, "An
 * Introduction to the Theory of Point Processes" I, 2003, section 7.4).
 */
public final class ArrivalCourse {

  /** Cumulated parts of all arrivals at the end of each stretch, the last 1. */
  private final double[] upTo;

  private ArrivalCourse(double[] upTo) {
    this.upTo = upTo;
  }

  /**
   * By the rates in stretches of equal length, one after another.
   *
   * @param rates each 0 or more, in any unit; at least one above 0
   */
  public static ArrivalCourse of(double[] rates) {
    double all = Arrays.stream(rates).sum();
    if (!(all > 0) || Arrays.stream(rates).anyMatch(rate -> !(rate >= 0))) {
      throw new IllegalArgumentException("no arrivals: " + Arrays.toString(rates));
    }
    double[] upTo = new double[rates.length];
    double sum = 0;
    for (int i = 0; i < rates.length; i++) {
      sum += rates[i];
      upTo[i] = sum / all;
    }
    upTo[rates.length - 1] = 1;
    return new ArrivalCourse(upTo);
  }

  /**
   * Times of arrivals at a steady rate, moved to where they fall by this course.
   *
   * @param steady ascending, each from 0 to below the horizon
   * @param horizon of the run, in nanoseconds
   */
  long[] place(long[] steady, long horizon) {
    long[] placed = new long[steady.length];
    int stretch = 0;
    for (int i = 0; i < steady.length; i++) {
      double part = (double) steady[i] / horizon;
      while (upTo[stretch] <= part) {
        stretch++;
      }
      double from = stretch == 0 ? 0 : upTo[stretch - 1];
      double inside = (part - from) / (upTo[stretch] - from);
      placed[i] = Math.round((stretch + inside) / upTo.length * horizon);
    }
    return placed;
  }
}
