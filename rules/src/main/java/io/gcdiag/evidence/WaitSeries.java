package io.gcdiag.evidence;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Waits of one kind at one site over time, kept in buckets of {@link #BUCKET} so that a recording
 * of any size needs memory for its length only, never for its events.
 */
public final class WaitSeries {

  /**
   * The width of a bucket: fine enough to see one pause of a collector, coarse enough to be small.
   */
  public static final Duration BUCKET = Duration.ofMillis(100);

  private static final long BUCKET_NANOS = BUCKET.toNanos();

  /** Lengths are counted in classes of an eighth of an octave, 9 % wide. */
  private static final int LENGTH_STEPS = 8;

  private final WaitSite site;
  private final Source source;
  private final NavigableMap<Long, Cell> cells;
  private final NavigableMap<Integer, Long> lengths;
  private final boolean oneThread;

  private WaitSeries(
      WaitSite site,
      Source source,
      boolean oneThread,
      NavigableMap<Long, Cell> cells,
      NavigableMap<Integer, Long> lengths) {
    this.site = site;
    this.source = source;
    this.oneThread = oneThread;
    this.cells = cells;
    this.lengths = lengths;
  }

  /**
   * What happened in one bucket.
   *
   * @param begun waits that began in it
   * @param begunNanos the whole length of the waits that began in it, in nanoseconds
   * @param longestNanos the longest of the waits that began in it, in nanoseconds
   * @param waitedNanos thread time spent waiting inside the bucket, in nanoseconds
   */
  private record Cell(long begun, long begunNanos, long longestNanos, double waitedNanos) {
    static final Cell EMPTY = new Cell(0, 0, 0, 0);
  }

  /**
   * Waits summed up over a window.
   *
   * @param count waits that began in the window
   * @param total their whole length together
   * @param longest the longest of them
   * @param waitedSeconds thread time spent waiting inside the window, in seconds
   */
  public record Totals(long count, Duration total, Duration longest, double waitedSeconds) {}

  /** The site. */
  public WaitSite site() {
    return site;
  }

  /** Where the waits were read. */
  public Source source() {
    return source;
  }

  /** Whether one thread alone is known to have waited here. */
  public boolean oneThread() {
    return oneThread;
  }

  /** The waits of a window, whose borders are rounded to buckets. */
  public Totals within(Window window) {
    long count = 0;
    long total = 0;
    long longest = 0;
    double waited = 0;
    for (Cell cell : cells.subMap(bucket(window.from()), bucket(window.to())).values()) {
      count += cell.begun();
      total += cell.begunNanos();
      longest = Math.max(longest, cell.longestNanos());
      waited += cell.waitedNanos();
    }
    return new Totals(count, Duration.ofNanos(total), Duration.ofNanos(longest), waited / 1e9);
  }

  /** All waits, over the whole time. */
  public long count() {
    return lengths.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many of them were shorter than that, to within {@value #LENGTH_STEPS} steps an octave. */
  public long countShorterThan(Duration length) {
    return lengths.headMap(lengthStep(length.toNanos()), false).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /**
   * The length that so many of all waits stay within, to within {@value #LENGTH_STEPS} steps an
   * octave.
   *
   * @param share 0 to 1
   */
  public Duration length(double share) {
    double wanted = share * count();
    long seen = 0;
    int step = 0;
    for (Map.Entry<Integer, Long> length : lengths.entrySet()) {
      step = length.getKey();
      seen += length.getValue();
      if (seen >= wanted) {
        break;
      }
    }
    return Duration.ofNanos(Math.round(Math.pow(2, (double) step / LENGTH_STEPS)));
  }

  private static int lengthStep(long nanos) {
    return (int) Math.round(LENGTH_STEPS * Math.log(Math.max(1, nanos)) / Math.log(2));
  }

  /** Threads waiting at an instant: the mean over the bucket that holds it. */
  public double waitingAt(Instant instant) {
    Cell cell = cells.getOrDefault(bucket(instant), Cell.EMPTY);
    return cell.waitedNanos() / BUCKET_NANOS;
  }

  /** Threads waiting, as the mean over each bucket in which any did, by the bucket's start. */
  public SortedMap<Instant, Double> waiting() {
    SortedMap<Instant, Double> threads = new TreeMap<>();
    cells.forEach(
        (bucket, cell) ->
            threads.put(
                Instant.EPOCH.plusNanos(bucket * BUCKET_NANOS), cell.waitedNanos() / BUCKET_NANOS));
    return threads;
  }

  /** The highest mean number of threads waiting in any bucket of the window. */
  public double peakWaiting(Window window) {
    return cells.subMap(bucket(window.from()), bucket(window.to())).values().stream()
        .mapToDouble(cell -> cell.waitedNanos() / BUCKET_NANOS)
        .max()
        .orElse(0);
  }

  private static long bucket(Instant instant) {
    return Math.floorDiv(
        instant.getEpochSecond() * 1_000_000_000L + instant.getNano(), BUCKET_NANOS);
  }

  /** Collects waits in any order. Not safe for use by several threads. */
  public static final class Builder {
    private final WaitSite site;
    private final Source source;
    private final Map<Long, Sum> sums = new HashMap<>();
    private final Map<Integer, long[]> lengths = new HashMap<>();

    /** Where the wait before was added: waits come more or less in the order of time. */
    private long latestBucket;

    private Optional<Sum> latest = Optional.empty();
    private OptionalLong thread = OptionalLong.empty();
    private boolean severalThreads = true;

    /** Starts an empty series. */
    public Builder(WaitSite site, Source source) {
      this.site = site;
      this.source = source;
    }

    /** Adds one wait of a known thread. */
    public void add(Instant start, Duration duration, long threadId) {
      add(start.getEpochSecond() * 1_000_000_000L + start.getNano(), duration.toNanos(), threadId);
    }

    /**
     * Adds one wait of a known thread.
     *
     * @param start in nanoseconds since 1970
     * @param nanos its length
     */
    public void add(long start, long nanos, long threadId) {
      severalThreads = thread.isPresent() && (severalThreads || thread.getAsLong() != threadId);
      if (!severalThreads) {
        thread = OptionalLong.of(threadId);
      }
      add(start, nanos);
    }

    /** Adds one wait. */
    public void add(Instant start, Duration duration) {
      add(start.getEpochSecond() * 1_000_000_000L + start.getNano(), duration.toNanos());
    }

    private void add(long from, long nanos) {
      long first = Math.floorDiv(from, BUCKET_NANOS);
      lengths.computeIfAbsent(lengthStep(nanos), step -> new long[1])[0]++;
      sum(first).begin(nanos);
      long rest = nanos;
      long at = from;
      while (rest > 0) {
        long bucket = Math.floorDiv(at, BUCKET_NANOS);
        long inside = Math.min(rest, (bucket + 1) * BUCKET_NANOS - at);
        sum(bucket).waited += inside;
        at += inside;
        rest -= inside;
      }
    }

    private Sum sum(long bucket) {
      if (latest.isEmpty() || bucket != latestBucket) {
        latest = Optional.of(sums.computeIfAbsent(bucket, any -> new Sum()));
        latestBucket = bucket;
      }
      return latest.get();
    }

    /** The finished series. */
    public WaitSeries build() {
      NavigableMap<Long, Cell> cells = new TreeMap<>();
      sums.forEach((bucket, sum) -> cells.put(bucket, sum.cell()));
      NavigableMap<Integer, Long> counts = new TreeMap<>();
      lengths.forEach((step, count) -> counts.put(step, count[0]));
      return new WaitSeries(site, source, !severalThreads, cells, counts);
    }

    /** A bucket in the making: there are many waits, and an object for each would cost. */
    private static final class Sum {
      private long begun;
      private long begunNanos;
      private long longestNanos;
      private double waited;

      void begin(long nanos) {
        begun++;
        begunNanos += nanos;
        longestNanos = Math.max(longestNanos, nanos);
      }

      Cell cell() {
        return new Cell(begun, begunNanos, longestNanos, waited);
      }
    }
  }
}
