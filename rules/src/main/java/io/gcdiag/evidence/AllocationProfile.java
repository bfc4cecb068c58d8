package io.gcdiag.evidence;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Allocation over the whole recording and over time.
 *
 * @param sites by bytes, largest first; the long tail may be cut
 * @param sampledBytesPerSecond allocation rate over time from sampled weights; empty if not sampled
 * @param totalBytesPerSecond the mean rate from the threads' own allocation counters, where
 *     recorded
 * @param source where the sites were read; absent when there are none
 */
public record AllocationProfile(
    List<AllocationSite> sites,
    Series sampledBytesPerSecond,
    OptionalDouble totalBytesPerSecond,
    Optional<Source> source) {

  /** Copies the list. */
  public AllocationProfile {
    sites = List.copyOf(sites);
  }

  /** Nothing was recorded. */
  public static AllocationProfile empty() {
    return new AllocationProfile(
        List.of(), Series.empty("allocation"), OptionalDouble.empty(), Optional.empty());
  }
}
