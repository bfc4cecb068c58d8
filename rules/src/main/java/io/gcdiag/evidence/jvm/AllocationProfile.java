package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Source;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Allocation over the whole recording and over time.
 *
 * @param sites bytes by site and over time
 * @param sampledBytesPerSecond allocation rate over time from sampled weights; empty if not sampled
 * @param totalBytesPerSecond the mean rate from the threads' own allocation counters, where
 *     recorded
 * @param source where the sites were read; absent when there are none
 */
public record AllocationProfile(
    AllocationSites sites,
    Series sampledBytesPerSecond,
    OptionalDouble totalBytesPerSecond,
    Optional<Source> source) {

  /**
   * Merges it with that of another recording of the JVM. If both cover the same time, the one with
   * more sites is used, because both count the same objects.
   */
  public AllocationProfile and(AllocationProfile other) {
    if (source.isEmpty() || other.source.isEmpty()) {
      return source.isEmpty() ? other : this;
    }
    boolean known = !sampledBytesPerSecond.isEmpty() && !other.sampledBytesPerSecond.isEmpty();
    if (!known || sampledBytesPerSecond.overlaps(other.sampledBytesPerSecond)) {
      return other.sites.count() > sites.count() ? other : this;
    }
    return new AllocationProfile(
        sites.and(other.sites),
        sampledBytesPerSecond.plus(other.sampledBytesPerSecond),
        meanOf(other),
        source);
  }

  /** The mean over both times if both have counters; otherwise that of one of them. */
  private OptionalDouble meanOf(AllocationProfile other) {
    if (totalBytesPerSecond.isEmpty() || other.totalBytesPerSecond.isEmpty()) {
      return totalBytesPerSecond.isPresent() ? totalBytesPerSecond : other.totalBytesPerSecond;
    }
    double own = sampledBytesPerSecond.seconds();
    double others = other.sampledBytesPerSecond.seconds();
    return OptionalDouble.of(
        (totalBytesPerSecond.getAsDouble() * own + other.totalBytesPerSecond.getAsDouble() * others)
            / (own + others));
  }

  public static AllocationProfile empty() {
    return new AllocationProfile(
        AllocationSites.none(), Series.empty(), OptionalDouble.empty(), Optional.empty());
  }
}
