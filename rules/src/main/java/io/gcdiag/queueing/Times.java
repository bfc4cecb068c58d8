package io.gcdiag.queueing;

import java.time.Duration;
import java.util.Arrays;

/**
 * A sample of durations, most of which may be 0.
 *
 * <p>Everything is 0 for an empty sample: nothing arrived, so nothing waited.
 */
public final class Times {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final long[] nanos;

  /** Takes nanoseconds of 0 or more, in any order; the array is the sample's from now on. */
  Times(long[] nanos) {
    this.nanos = nanos;
  }

  /** How many durations, those of 0 included. */
  public int count() {
    return nanos.length;
  }

  /**
   * A quantile of all, those of 0 included, interpolated between neighbours: type 7 of R. J.
   * Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50
   * (1996), which load generators report as well.
   *
   * @param fraction which one, 0 to 1
   * @throws IllegalArgumentException if the fraction is out of range
   */
  public Duration quantile(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("fraction must be from 0 to 1, was " + fraction);
    }
    if (nanos.length == 0) {
      return Duration.ZERO;
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    double position = fraction * (sorted.length - 1);
    int below = (int) position;
    long low = sorted[below];
    long high = sorted[Math.min(below + 1, sorted.length - 1)];
    return Duration.ofNanos(low + Math.round((position - below) * (high - low)));
  }

  /**
   * What a recorder with a threshold sees: those above 0 that are at least that long, each with its
   * full length. The flight recorder writes a wait only from a set length on, so short ones are
   * missing from its sum.
   *
   * @param threshold 0 or more
   * @throws IllegalArgumentException if the threshold is negative
   */
  public Observed observedAbove(Duration threshold) {
    long least = Math.max(1, QueueingArguments.notNegative(threshold, "threshold").toNanos());
    int count = 0;
    // Whole seconds and the rest apart: a million waits of an hour do not fit nanoseconds in a
    // long.
    long seconds = 0;
    long rest = 0;
    for (long each : nanos) {
      if (each >= least) {
        count++;
        seconds += each / NANOS_PER_SECOND;
        rest += each % NANOS_PER_SECOND;
      }
    }
    return new Observed(count, Duration.ofSeconds(seconds).plusNanos(rest));
  }

  /**
   * The part of a sample that was long enough to be recorded.
   *
   * @param count how many, those of 0 never counted
   */
  public record Observed(int count, Duration total) {}
}
