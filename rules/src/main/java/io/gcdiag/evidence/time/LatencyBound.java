package io.gcdiag.evidence.time;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * What is known of one percentile of a latency: a range. Percentiles from single measurements are
 * known to about one percent; those from a histogram only to the bucket they fall into, and beyond
 * its last bucket only that they are longer.
 *
 * @param atLeast it is longer than this, or exactly this
 * @param atMost it is at most this; absent when it lies beyond the last bucket
 */
public record LatencyBound(Duration atLeast, Optional<Duration> atMost) {

  /** A range up to this ratio counts as one value: the error is below that of any clock in use. */
  private static final double ONE_VALUE = 1.03;

  /** Nor does any clock in use tell latencies apart that differ by less. */
  private static final Duration ONE_TICK = Duration.ofNanos(1_000);

  /** Checks the order. */
  public LatencyBound {
    if (atLeast.isNegative() || atMost.filter(most -> most.compareTo(atLeast) < 0).isPresent()) {
      throw new IllegalArgumentException("not a range: " + atLeast + " to " + atMost);
    }
  }

  /** A percentile that is known exactly. */
  public static LatencyBound exactly(Duration value) {
    return new LatencyBound(value, Optional.of(value));
  }

  /** The same, but no longer than the longest latency that was measured. */
  public LatencyBound upTo(Duration longest) {
    return atMost.filter(most -> most.compareTo(longest) > 0).isPresent()
            && longest.compareTo(atLeast) >= 0
        ? new LatencyBound(atLeast, Optional.of(longest))
        : this;
  }

  /** The value, where the range is narrow enough to be one. */
  public Optional<Duration> value() {
    return atMost.filter(
        most ->
            most.minus(atLeast).compareTo(ONE_TICK) <= 0
                || most.toNanos() <= atLeast.toNanos() * ONE_VALUE);
  }

  /** Such as {@code 120 ms}, {@code 250 ms to 500 ms} or {@code more than 10 s}. */
  public String format() {
    return value()
        .map(Durations::format)
        .or(() -> atMost.map(most -> Durations.format(atLeast) + " to " + Durations.format(most)))
        .orElseGet(() -> "more than " + Durations.format(atLeast));
  }
}
