package io.gcdiag.evidence.threads;

import java.util.Arrays;

/** How many waits were how long, in classes of an eighth of an octave, 9 % wide. */
final class WaitLengths {

  private static final int STEPS = 8;

  /** Waits below this many octaves (nanoseconds; a day and a half) are classed by comparisons. */
  private static final int OCTAVES = 47;

  private static final long[] BORDERS = borders();

  /** So many bits of a double stand below its exponent and the first three behind the point. */
  private static final int EIGHTH_BITS = 49;

  private static final int EXPONENT_OF_ONE = 1023;

  /** By the number of the class. */
  private long[] counts = {};

  /**
   * The least length of each class. A comparison or two with these is a fraction of a logarithm,
   * and says the same: each border is held against it.
   */
  private static long[] borders() {
    long[] borders = new long[STEPS * OCTAVES];
    for (int step = 0; step < borders.length; step++) {
      long least = Math.round(Math.pow(2, (step - 0.5) / STEPS));
      while (least > 1 && logarithmic(least - 1) >= step) {
        least--;
      }
      while (logarithmic(least) < step) {
        least++;
      }
      borders[step] = least;
    }
    return borders;
  }

  private static int logarithmic(long nanos) {
    return (int) Math.round(STEPS * Math.log(Math.max(1, nanos)) / Math.log(2));
  }

  /** The class of a length. */
  private static int step(long nanos) {
    if (nanos <= 1) {
      return 0;
    }
    // The exponent, and the eighth of the octave: as the steps of a logarithm become shorter, the
    // class is this one or one of the next two.
    int step = (int) (Double.doubleToRawLongBits(nanos) >> EIGHTH_BITS) - STEPS * EXPONENT_OF_ONE;
    if (step >= STEPS * (OCTAVES - 1)) {
      return logarithmic(nanos);
    }
    while (nanos >= BORDERS[step + 1]) {
      step++;
    }
    return step;
  }

  void add(long nanos) {
    int step = step(nanos);
    if (step >= counts.length) {
      counts = Arrays.copyOf(counts, step + STEPS);
    }
    counts[step]++;
  }

  /** All waits. */
  long count() {
    return Arrays.stream(counts).sum();
  }

  /** The waits of all classes below that of a length. */
  long countShorterThan(long nanos) {
    return Arrays.stream(counts, 0, Math.min(counts.length, step(nanos))).sum();
  }

  /**
   * The length that so many of all waits stay within, in nanoseconds.
   *
   * @param share 0 to 1
   */
  long length(double share) {
    double wanted = share * count();
    long seen = 0;
    int last = 0;
    for (int step = 0; step < counts.length; step++) {
      if (counts[step] > 0) {
        last = step;
        seen += counts[step];
        if (seen >= wanted) {
          break;
        }
      }
    }
    return Math.round(Math.pow(2, (double) last / STEPS));
  }
}
