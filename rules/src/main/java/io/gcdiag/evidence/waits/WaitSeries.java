package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
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

  private final WaitSite site;
  private final Source source;
  private final WaitCells cells;
  private final WaitLengths lengths;
  private final boolean oneThread;

  private WaitSeries(Builder from) {
    this.site = from.site;
    this.source = from.source;
    this.oneThread = !from.severalThreads;
    this.cells = from.cells.inOrder();
    this.lengths = from.lengths;
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
    int end = cells.firstFrom(bucket(window.to()));
    for (int row = cells.firstFrom(bucket(window.from())); row < end; row++) {
      count += cells.begun(row);
      total += cells.begunNanos(row);
      longest = Math.max(longest, cells.longestNanos(row));
      waited += cells.waitedNanos(row);
    }
    return new Totals(count, Duration.ofNanos(total), Duration.ofNanos(longest), waited / 1e9);
  }

  /** All waits, over the whole time. */
  public long count() {
    return lengths.count();
  }

  /** How many of them were shorter than that, to within a sixteenth of an octave. */
  public long countShorterThan(Duration length) {
    return lengths.countShorterThan(length.toNanos());
  }

  /**
   * The length that so many of all waits stay within, to within a sixteenth of an octave.
   *
   * @param share 0 to 1
   */
  public Duration length(double share) {
    return Duration.ofNanos(lengths.length(share));
  }

  /** Threads waiting at an instant: the mean over the bucket that holds it. */
  public double waitingAt(Instant instant) {
    return cells.waitedIn(bucket(instant)) / BUCKET_NANOS;
  }

  /** Threads waiting, as the mean over each bucket in which any did, by the bucket's start. */
  public SortedMap<Instant, Double> waiting() {
    SortedMap<Instant, Double> threads = new TreeMap<>();
    for (int row = 0; row < cells.count(); row++) {
      threads.put(
          Instant.EPOCH.plusNanos(cells.bucket(row) * BUCKET_NANOS),
          cells.waitedNanos(row) / BUCKET_NANOS);
    }
    return threads;
  }

  /** The highest mean number of threads waiting in any bucket of the window. */
  public double peakWaiting(Window window) {
    double peak = 0;
    int end = cells.firstFrom(bucket(window.to()));
    for (int row = cells.firstFrom(bucket(window.from())); row < end; row++) {
      peak = Math.max(peak, cells.waitedNanos(row) / BUCKET_NANOS);
    }
    return peak;
  }

  private static long bucket(Instant instant) {
    return Math.floorDiv(
        instant.getEpochSecond() * 1_000_000_000L + instant.getNano(), BUCKET_NANOS);
  }

  /** Collects waits in any order. Not safe for use by several threads. */
  public static final class Builder {
    private final WaitSite site;
    private final Source source;
    private final WaitCells cells = new WaitCells();
    private final WaitLengths lengths = new WaitLengths();

    /** The bucket before, and when it begins: a division is the most costly thing here. */
    private long bucket;

    private long bucketFrom;
    private boolean anyThread;
    private long thread;
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
      severalThreads = anyThread && (severalThreads || thread != threadId);
      anyThread = true;
      thread = threadId;
      add(start, nanos);
    }

    /** Adds one wait. */
    public void add(Instant start, Duration duration) {
      add(start.getEpochSecond() * 1_000_000_000L + start.getNano(), duration.toNanos());
    }

    private void add(long from, long nanos) {
      if (from < bucketFrom || from - bucketFrom >= BUCKET_NANOS) {
        bucket = Math.floorDiv(from, BUCKET_NANOS);
        bucketFrom = bucket * BUCKET_NANOS;
      }
      lengths.add(nanos);
      cells.begin(bucket, nanos);
      long rest = nanos;
      long room = bucketFrom + BUCKET_NANOS - from;
      for (long at = bucket; rest > 0; at++) {
        cells.waited(at, Math.min(rest, room));
        rest -= room;
        room = BUCKET_NANOS;
      }
    }

    /** The finished series; this builder must not be used afterwards. */
    public WaitSeries build() {
      return new WaitSeries(this);
    }
  }
}
