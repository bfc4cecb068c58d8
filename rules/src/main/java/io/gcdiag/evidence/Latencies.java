package io.gcdiag.evidence;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long requests took, as counts by range of latency. Immutable; its size is bounded by the
 * number of ranges and not by that of requests.
 *
 * <p>There are two kinds, which are not added to each other: the fine one, for single measurements,
 * has ranges of one percent; the coarse one has the buckets of a histogram that somebody else
 * filled.
 */
public final class Latencies {

  /** Ratio of neighbouring bounds of the fine kind: the error of a percentile is at most this. */
  private static final double STEP = 1.01;

  private static final double LOG_STEP = Math.log(STEP);
  private static final double WHOLE = 100;
  private static final Latencies NONE = new Latencies(new TreeMap<>());

  private final SortedMap<Range, Long> counts;
  private final long count;

  private record Range(long fromNanos, long toNanos) implements Comparable<Range> {
    @Override
    public int compareTo(Range other) {
      int byEnd = Long.compare(toNanos, other.toNanos);
      return byEnd != 0 ? byEnd : Long.compare(fromNanos, other.fromNanos);
    }
  }

  private Latencies(SortedMap<Range, Long> counts) {
    this.counts = Collections.unmodifiableSortedMap(counts);
    this.count = counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** No request. */
  public static Latencies none() {
    return NONE;
  }

  /**
   * The buckets of a histogram.
   *
   * @param countByUpperBound requests in each bucket (not cumulative) by the bucket's upper bound,
   *     which belongs to it
   * @param beyond requests that took longer than the last bound
   * @throws IllegalArgumentException for a negative count
   */
  public static Latencies ofBuckets(SortedMap<Duration, Long> countByUpperBound, long beyond) {
    TreeMap<Range, Long> counts = new TreeMap<>();
    long from = 0;
    for (Map.Entry<Duration, Long> bucket : countByUpperBound.entrySet()) {
      long to = bucket.getKey().toNanos();
      put(counts, new Range(from, to), bucket.getValue());
      from = to;
    }
    put(counts, new Range(from, Long.MAX_VALUE), beyond);
    return new Latencies(counts);
  }

  private static void put(Map<Range, Long> counts, Range range, long requests) {
    if (requests < 0) {
      throw new IllegalArgumentException("a bucket with " + requests + " requests");
    }
    if (requests > 0) {
      counts.put(range, requests);
    }
  }

  /** Counts single measurements. */
  public static final class Counter {

    private final TreeMap<Range, Long> counts = new TreeMap<>();

    /** Counts one request; a negative latency is damage and counts as none. */
    public void add(Duration latency) {
      counts.merge(range(latency.toNanos()), 1L, Long::sum);
    }

    /** What was counted so far. */
    public Latencies latencies() {
      return new Latencies(new TreeMap<>(counts));
    }

    private static Range range(long nanos) {
      if (nanos <= 1) {
        return new Range(0, 1);
      }
      int step = (int) Math.ceil(Math.log(nanos) / LOG_STEP);
      return new Range((long) Math.pow(STEP, step - 1), (long) Math.pow(STEP, step));
    }
  }

  /** Requests counted. */
  public long count() {
    return count;
  }

  /** These and the others together; both of the same kind. */
  public Latencies plus(Latencies other) {
    TreeMap<Range, Long> sum = new TreeMap<>(counts);
    other.counts.forEach((range, requests) -> sum.merge(range, requests, Long::sum));
    return new Latencies(sum);
  }

  /**
   * The latency that this share of the requests stayed within: the smallest range such that at
   * least the share lies in it or below (nearest rank).
   *
   * @param percentile above 0, up to 100
   * @return absent if there is no request
   */
  public Optional<LatencyBound> percentile(double percentile) {
    long rank = Math.max(1, (long) Math.ceil(percentile / WHOLE * count));
    long below = 0;
    for (Map.Entry<Range, Long> range : counts.entrySet()) {
      below += range.getValue();
      if (below >= rank) {
        return Optional.of(bound(range.getKey()));
      }
    }
    return Optional.empty();
  }

  /** Requests that surely took longer than this: those of ranges that begin at it or above. */
  public long longerThan(Duration limit) {
    return counts.entrySet().stream()
        .filter(range -> range.getKey().fromNanos >= limit.toNanos())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static LatencyBound bound(Range range) {
    return new LatencyBound(
        Duration.ofNanos(range.fromNanos),
        range.toNanos == Long.MAX_VALUE
            ? Optional.empty()
            : Optional.of(Duration.ofNanos(range.toNanos)));
  }
}
