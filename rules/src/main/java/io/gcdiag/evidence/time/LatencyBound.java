package io.gcdiag.evidence.time;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * The range of one percentile. Percentiles of single measurements are known to about one percent,
 * those of a histogram to the width of their bucket, and beyond the last bucket only from below.
 *
 * @param atMost upper bound; empty beyond the last bucket
 */
public record LatencyBound(Duration atLeast, Optional<Duration> atMost) {

  /** A range up to this ratio counts as one value. */
  private static final double ONE_VALUE = 1.03;

  /** A smaller range counts as one value, too. */
  private static final Duration ONE_TICK = Duration.ofNanos(1_000);

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

  /** The value, if the range is narrow enough to count as one. */
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
