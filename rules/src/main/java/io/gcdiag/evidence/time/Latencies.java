package io.gcdiag.evidence.time;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Latencies as a histogram. Immutable; its size depends on the number of ranges and not on the
 * number of requests.
 *
 * <p>There are three kinds, which cannot be added to each other. The fine one, for single
 * measurements, has ranges of one percent. The coarse one has the buckets of a histogram from
 * another program. The third has only the number of requests and their total time, like a timer's
 * count and sum; it has a mean and no percentile.
 */
public final class Latencies {

  private static final double WHOLE = 100;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Largest error of a product of decimal fractions; a rank must not be rounded up because of it.
   */
  private static final double ROUNDING = 1e-9;

  private static final Latencies NONE = new Latencies(new long[0], new long[0], new long[0], false);

  /** Exclusive lower and inclusive upper bounds in nanoseconds, by upper bound. */
  private final long[] from;

  private final long[] to;
  private final long[] counts;
  private final long count;

  /** Whether each range is the mean of its requests, without their spread. */
  private final boolean means;

  private Latencies(long[] from, long[] to, long[] counts, boolean means) {
    this.from = from;
    this.to = to;
    this.counts = counts;
    this.count = Arrays.stream(counts).sum();
    this.means = means;
  }

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
    Ranges ranges = new Ranges(countByUpperBound.size() + 1, false);
    long from = 0;
    for (Map.Entry<Duration, Long> bucket : countByUpperBound.entrySet()) {
      long to = bucket.getKey().toNanos();
      ranges.add(from, to, bucket.getValue());
      from = to;
    }
    ranges.add(from, Long.MAX_VALUE, beyond);
    return ranges.latencies();
  }

  /**
   * From a timer.
   *
   * @param requests number of requests, not negative
   * @throws IllegalArgumentException for a negative count
   */
  public static Latencies ofTotal(long requests, double seconds) {
    Ranges ranges = new Ranges(1, true);
    long mean = requests > 0 ? Math.round(seconds * NANOS_PER_SECOND / requests) : 0;
    ranges.add(mean, mean, requests);
    return ranges.latencies();
  }

  /** Ranges being collected, in order. */
  private static final class Ranges {

    private final long[] from;
    private final long[] to;
    private final long[] counts;
    private final boolean means;
    private int size;

    Ranges(int most, boolean means) {
      this.means = means;
      from = new long[most];
      to = new long[most];
      counts = new long[most];
    }

    void add(long above, long upTo, long requests) {
      if (requests < 0) {
        throw new IllegalArgumentException("a bucket with " + requests + " requests");
      }
      if (requests > 0) {
        from[size] = above;
        to[size] = upTo;
        counts[size] = requests;
        size++;
      }
    }

    Latencies latencies() {
      return new Latencies(
          Arrays.copyOf(from, size), Arrays.copyOf(to, size), Arrays.copyOf(counts, size), means);
    }
  }

  /** Counts single measurements; memory use depends only on how much they differ. */
  public static final class Counter {

    /** Ratio of neighbouring bounds: the error of a percentile is at most this. */
    private static final double STEP = 1.01;

    private static final double LOG_STEP = Math.log(STEP);

    private static final int NO_TIME = -1;

    private static final int INITIAL = 8;

    /** A power of two. */
    private static final int PLACES = 64;

    /** Numbers of ranges, ascending, and how many requests are in each. */
    private int[] ranges = new int[INITIAL];

    private long[] requests = new long[INITIAL];
    private int size;

    /** The range found last, by its lowest bits: most latencies of a service are similar. */
    private final byte[] places = new byte[PLACES];

    /** Counts one request; a negative latency is a damaged value and counts as zero. */
    public void add(Duration latency) {
      addTo(range(latency.toNanos()), 1);
    }

    /** The number of the range of a latency in nanoseconds, the same for all counters. */
    public static int range(long nanos) {
      return nanos <= 0 ? NO_TIME : (int) Math.ceil(Math.log(nanos) / LOG_STEP);
    }

    public void add(Counter other) {
      for (int i = 0; i < other.size; i++) {
        addTo(other.ranges[i], other.requests[i]);
      }
    }

    /** Counts so many requests of a range. */
    public void addTo(int range, long more) {
      int place = Byte.toUnsignedInt(places[range & PLACES - 1]);
      if (place < size && ranges[place] == range) {
        requests[place] += more;
        return;
      }
      int at = Arrays.binarySearch(ranges, 0, size, range);
      if (at < 0) {
        at = -at - 1;
        if (size == ranges.length) {
          ranges = Arrays.copyOf(ranges, 2 * size);
          requests = Arrays.copyOf(requests, 2 * size);
        }
        System.arraycopy(ranges, at, ranges, at + 1, size - at);
        System.arraycopy(requests, at, requests, at + 1, size - at);
        ranges[at] = range;
        requests[at] = 0;
        size++;
      }
      places[range & PLACES - 1] = (byte) at;
      requests[at] += more;
    }

    /** How many ranges have a request: what it takes of memory. */
    public int ranges() {
      return size;
    }

    /** The latencies counted so far. */
    public Latencies latencies() {
      Ranges counted = new Ranges(size, false);
      for (int i = 0; i < size; i++) {
        counted.add(bound(ranges[i] - 1), bound(ranges[i]), requests[i]);
      }
      return counted.latencies();
    }

    private static long bound(int range) {
      return range <= NO_TIME ? 0 : (long) Math.pow(STEP, range);
    }
  }

  public long count() {
    return count;
  }

  /** Requests up to that latency, by the ranges that end there or earlier. */
  public long upTo(Duration most) {
    long requests = 0;
    for (int i = 0; i < to.length && to[i] <= most.toNanos(); i++) {
      requests += counts[i];
    }
    return requests;
  }

  /** Requests above that latency, by the ranges that begin there or later. */
  public Latencies from(Duration least) {
    Ranges rest = new Ranges(to.length, means);
    for (int i = 0; i < to.length; i++) {
      if (from[i] >= least.toNanos()) {
        rest.add(from[i], to[i], counts[i]);
      }
    }
    return rest.latencies();
  }

  /** The sum of both, which must be of the same kind. */
  public Latencies plus(Latencies other) {
    Ranges sum = new Ranges(to.length + other.to.length, means || other.means);
    int mine = 0;
    int theirs = 0;
    while (mine < to.length || theirs < other.to.length) {
      int order = order(mine, other, theirs);
      int range = order <= 0 ? mine : theirs;
      Latencies of = order <= 0 ? this : other;
      long requests = of.counts[range];
      if (order == 0) {
        requests += other.counts[theirs];
      }
      sum.add(of.from[range], of.to[range], requests);
      mine += order <= 0 ? 1 : 0;
      theirs += order >= 0 ? 1 : 0;
    }
    return sum.latencies();
  }

  /** Order of two ranges; the end of a list comes after everything. */
  private int order(int mine, Latencies other, int theirs) {
    if (mine == to.length) {
      return 1;
    }
    if (theirs == other.to.length) {
      return -1;
    }
    int byEnd = Long.compare(to[mine], other.to[theirs]);
    return byEnd != 0 ? byEnd : Long.compare(from[mine], other.from[theirs]);
  }

  /** What the longest took at least; zero without requests, or if only their mean is known. */
  public Duration longestAtLeast() {
    return means || from.length == 0 ? Duration.ZERO : Duration.ofNanos(from[from.length - 1]);
  }

  /** The mean latency; absent if there is no request. */
  public Optional<Duration> mean() {
    return count == 0 ? Optional.empty() : Optional.of(Durations.ofSeconds(totalSeconds() / count));
  }

  /** Whether only the mean is known, and no percentile. */
  public boolean areMeans() {
    return means;
  }

  /**
   * A percentile: the smallest range such that at least the share of requests is in it or below
   * (nearest rank).
   *
   * @param percentile above 0, up to 100
   * @return empty without requests, or if only their mean is known
   */
  public Optional<LatencyBound> percentile(double percentile) {
    if (means) {
      return Optional.empty();
    }
    double share = percentile * count / WHOLE;
    long rank = Math.max(1, (long) Math.ceil(share - share * ROUNDING));
    long below = 0;
    for (int i = 0; i < to.length; i++) {
      below += counts[i];
      if (below >= rank) {
        return Optional.of(bound(i));
      }
    }
    return Optional.empty();
  }

  /**
   * Total time of all requests, in seconds. Each counts with the middle of its range. Those beyond
   * the last bucket count with its bound, so that the sum is then too small.
   */
  public double totalSeconds() {
    return secondsBetween(0, Double.MAX_VALUE);
  }

  /**
   * Total time, in seconds, that the requests spent at an age within a range, each counted with the
   * middle of its range: a request of 3 s is between 2 and 5 s old for one second.
   */
  public double secondsBetween(double youngestSeconds, double oldestSeconds) {
    double seconds = 0;
    for (int i = 0; i < to.length; i++) {
      double middle = to[i] == Long.MAX_VALUE ? from[i] : (from[i] + (double) to[i]) / 2;
      double until = Math.min(middle / NANOS_PER_SECOND, oldestSeconds);
      seconds += Math.max(0, until - youngestSeconds) * counts[i];
    }
    return seconds;
  }

  /**
   * What so many of the longest requests took beyond a latency, in seconds, at most: each counts
   * with the end of its range. Infinite if only the mean is known, or if one of them is beyond the
   * last bucket.
   */
  public double slowestBeyond(double requests, Duration latency) {
    double seconds = means ? Double.POSITIVE_INFINITY : 0;
    double left = requests;
    for (int i = to.length - 1; i >= 0 && left > 0 && to[i] > latency.toNanos(); i--) {
      double longer =
          to[i] == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : to[i] - latency.toNanos();
      seconds += Math.min(left, counts[i]) * longer / NANOS_PER_SECOND;
      left -= counts[i];
    }
    return seconds;
  }

  private LatencyBound bound(int range) {
    return new LatencyBound(
        Duration.ofNanos(from[range]),
        to[range] == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofNanos(to[range])));
  }
}
