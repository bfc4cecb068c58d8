package io.gcdiag.queueing;

import java.time.Duration;
import java.util.Arrays;

/**
 * A sample of durations, most of which may be 0.
 *
 * <p>Everything is 0 for an empty sample: nobody came, so nobody waited.
 */
public final class Times {
  private final int count;

  /** Those above 0, ascending, in nanoseconds. */
  private final long[] positive;

  /** Takes nanoseconds of 0 or more, in any order; the array is not kept. */
  Times(long[] nanos) {
    this.count = nanos.length;
    this.positive = Arrays.stream(nanos).filter(n -> n > 0).sorted().toArray();
  }

  /** How many durations, those of 0 included. */
  public int count() {
    return count;
  }

  /** How many are above 0. */
  public int countAboveZero() {
    return positive.length;
  }

  /** Their sum; more than 292 years is an error of arithmetic. */
  public Duration total() {
    return totalFrom(0);
  }

  /** The mean of all, those of 0 included. */
  public Duration mean() {
    return count == 0 ? Duration.ZERO : total().dividedBy(count);
  }

  /** The longest. */
  public Duration max() {
    return count == 0 ? Duration.ZERO : Duration.ofNanos(at(count - 1));
  }

  /**
   * A quantile of all, those of 0 included, interpolated between neighbours as {@link
   * io.gcdiag.stats.Quantiles} does it.
   *
   * @param fraction which one, 0 to 1
   * @throws IllegalArgumentException if the fraction is out of range
   */
  public Duration quantile(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("fraction must be from 0 to 1, was " + fraction);
    }
    if (count == 0) {
      return Duration.ZERO;
    }
    double position = fraction * (count - 1);
    int below = (int) position;
    long low = at(below);
    long high = at(Math.min(below + 1, count - 1));
    return Duration.ofNanos(low + Math.round((position - below) * (high - low)));
  }

  /**
   * What a recorder with a threshold sees: those at least that long, each with its full length. The
   * flight recorder writes a wait only from a set length on, so short ones are missing from its
   * sum.
   *
   * @param threshold 0 or more
   * @throws IllegalArgumentException if the threshold is negative
   */
  public Observed observedAbove(Duration threshold) {
    long least = Checks.notNegative(threshold, "threshold").toNanos();
    int from = 0;
    int to = positive.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (positive[middle] < least) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return new Observed(positive.length - from, totalFrom(from));
  }

  /**
   * The part of a sample that was long enough to be recorded.
   *
   * @param count how many, those of 0 never counted
   * @param total their sum
   */
  public record Observed(int count, Duration total) {}

  private long at(int position) {
    int zeros = count - positive.length;
    return position < zeros ? 0 : positive[position - zeros];
  }

  private Duration totalFrom(int first) {
    // Whole seconds and the rest apart: a million waits of an hour do not fit nanoseconds in a
    // long.
    long seconds = 0;
    long rest = 0;
    for (int i = first; i < positive.length; i++) {
      seconds += positive[i] / 1_000_000_000L;
      rest += positive[i] % 1_000_000_000L;
    }
    return Duration.ofSeconds(seconds).plusNanos(rest);
  }
}
