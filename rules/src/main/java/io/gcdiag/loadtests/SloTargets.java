package io.gcdiag.loadtests;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The targets of a load test.
 *
 * @param latency the longest latency that is in order, by percentile (above 0, below 100)
 * @param rate requests per second that have to be served
 * @param success share of requests that must not fail, 0 to 1
 * @param length how long the test has to last
 */
public record SloTargets(
    SortedMap<Double, Duration> latency,
    Optional<Rate> rate,
    Optional<Ratio> success,
    Optional<Duration> length) {

  /** Copies the map and checks the ranges. */
  public SloTargets {
    latency = Collections.unmodifiableSortedMap(new TreeMap<>(latency));
    if (success.filter(share -> share.value() < 0 || share.value() > 1).isPresent()) {
      throw new IllegalArgumentException("a share of requests lies between 0 % and 100 %");
    }
  }

  /** These targets; if there are none, those in the load generator's options. */
  SloTargets or(RequestStats.Targets told) {
    boolean none = latency.isEmpty() && rate.isEmpty() && success.isEmpty() && length.isEmpty();
    if (none && told.equals(RequestStats.Targets.NONE)) {
      throw new IllegalArgumentException(
          "no target; give at least one of --p95, --p99, --rate, --success, or a file of k6"
              + " with thresholds");
    }
    return none ? new SloTargets(told.latency(), told.rate(), told.success(), length) : this;
  }
}
