package io.gcdiag.evidence;

import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a load generator or client measured over a whole run.
 *
 * @param producer the tool, such as {@code k6}
 * @param requests requests completed
 * @param failed of these, failed
 * @param rate requests per second over the run
 * @param mean mean latency
 * @param longest longest latency
 * @param percentiles latency by percentile, 0 to 100 exclusive; only those the file states
 * @param dropped requests the generator wanted to send and could not; known for open models only
 * @param source where this was read
 */
public record RequestStats(
    String producer,
    long requests,
    OptionalLong failed,
    Rate rate,
    Duration mean,
    Duration longest,
    SortedMap<Double, Duration> percentiles,
    OptionalLong dropped,
    Source source) {

  /** Copies the percentiles. */
  public RequestStats {
    percentiles = Collections.unmodifiableSortedMap(new TreeMap<>(percentiles));
  }

  /** The latency at a percentile, if the file states it. */
  public Optional<Duration> percentile(double percentile) {
    return Optional.ofNullable(percentiles.get(percentile));
  }
}
