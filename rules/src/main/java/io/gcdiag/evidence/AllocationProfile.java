package io.gcdiag.evidence;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

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

  /**
   * This one and that of another recording of the JVM. Of two recordings of the same stretch the
   * one with more sites is kept: both tell of the same objects.
   */
  AllocationProfile and(AllocationProfile other) {
    if (source.isEmpty() || other.source.isEmpty()) {
      return source.isEmpty() ? other : this;
    }
    boolean known = !sampledBytesPerSecond.isEmpty() && !other.sampledBytesPerSecond.isEmpty();
    if (!known || sampledBytesPerSecond.overlaps(other.sampledBytesPerSecond)) {
      return other.sites.size() > sites.size() ? other : this;
    }
    return new AllocationProfile(
        both(sites, other.sites),
        sampledBytesPerSecond.plus(other.sampledBytesPerSecond),
        meanOf(other),
        source);
  }

  /** The mean over both stretches, where both have counters; else what one of them says. */
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

  private static List<AllocationSite> both(List<AllocationSite> one, List<AllocationSite> other) {
    Map<List<Object>, AllocationSite> sum = new LinkedHashMap<>();
    for (AllocationSite site : Stream.concat(one.stream(), other.stream()).toList()) {
      sum.merge(
          List.of(site.className(), site.top(), site.root(), site.path()),
          site,
          AllocationSite::plus);
    }
    return sum.values().stream().sorted(AllocationSite.LARGEST_FIRST).toList();
  }

  /** Nothing was recorded. */
  public static AllocationProfile empty() {
    return new AllocationProfile(
        List.of(), Series.empty(), OptionalDouble.empty(), Optional.empty());
  }
}
