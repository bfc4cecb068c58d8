package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.RowIndex;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Halving;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Waits of one kind at one site over time, in buckets of {@link #BUCKET}. Memory use depends on the
 * length of a recording and not on the number of its events; buckets without waits use none.
 */
public final class WaitSeries {

  /** The width of a bucket: short enough to show a single GC pause, long enough to save memory. */
  public static final Duration BUCKET = Duration.ofMillis(100);

  static final long BUCKET_NANOS = BUCKET.toNanos();

  /** A wait that fills more buckets than this (one minute) is stored by its start and end. */
  private static final long MOST_BUCKETS = 600;

  private final WaitSite site;
  private final Source source;
  private final Cells cells;
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
   * Sums of the waits in a window.
   *
   * @param count waits that began in the window
   * @param longest the longest of them
   * @param waitedSeconds thread time spent waiting inside the window, in seconds
   */
  public record Totals(long count, Duration total, Duration longest, double waitedSeconds) {

    private Totals plus(Totals more) {
      return new Totals(
          count + more.count,
          total.plus(more.total),
          more.longest.compareTo(longest) > 0 ? more.longest : longest,
          waitedSeconds + more.waitedSeconds);
    }

    /** Mean length; zero without waits. */
    public Duration mean() {
      return total.dividedBy(Math.max(1, count));
    }
  }

  public WaitSite site() {
    return site;
  }

  public Source source() {
    return source;
  }

  /** Whether all waits here are of one known thread. */
  public boolean oneThread() {
    return oneThread;
  }

  /** The waits of a window, whose borders are rounded to buckets. */
  public Totals within(Window window) {
    long count = 0;
    long total = 0;
    long longest = 0;
    long from = bucket(window.from());
    long to = bucket(window.to());
    int end = cells.firstFrom(to);
    for (int row = cells.firstFrom(from); row < end; row++) {
      count += cells.begun[row];
      total += cells.begunNanos[row];
      longest = Math.max(longest, cells.longestNanos[row]);
    }
    double waited = cells.waitedBetween(from, to);
    return new Totals(count, Duration.ofNanos(total), Duration.ofNanos(longest), waited / 1e9);
  }

  /** Thread time in the waits of all series in a window, in seconds. */
  public static double seconds(Collection<WaitSeries> all, Window window) {
    return all.stream().mapToDouble(one -> one.within(window).waitedSeconds()).sum();
  }

  /** Threads in the waits of all series, on average over a window. */
  public static double threads(Collection<WaitSeries> all, Window window) {
    return seconds(all, window) / window.seconds();
  }

  /** The waits at all of several sites in a window. */
  public static Totals totals(Collection<WaitSeries> all, Window window) {
    return all.stream()
        .map(one -> one.within(window))
        .reduce(new Totals(0, Duration.ZERO, Duration.ZERO, 0), Totals::plus);
  }

  public static List<WaitSeries> ofRequests(Collection<WaitSeries> all) {
    return all.stream().filter(one -> one.site().onRequestThread()).toList();
  }

  /** The series with the most thread time in a window; empty if there is none. */
  public static Optional<WaitSeries> longest(Collection<WaitSeries> all, Window window) {
    return all.stream().max(Comparator.comparingDouble(one -> one.within(window).waitedSeconds()));
  }

  /** All waits, over the whole time. */
  public long count() {
    return lengths.count();
  }

  /** Number of waits shorter than that length, to within a sixteenth of an octave. */
  public long countShorterThan(Duration length) {
    return lengths.countShorterThan(length.toNanos());
  }

  /**
   * The quantile of the lengths of all waits, to within a sixteenth of an octave.
   *
   * @param share 0 to 1
   */
  public Duration length(double share) {
    return Duration.ofNanos(lengths.length(share));
  }

  /** The highest mean number of threads waiting in any bucket of the window. */
  public double peakWaiting(Window window) {
    return cells.mostThreads(bucket(window.from()), bucket(window.to()));
  }

  /**
   * These waits, and others that had not ended at a time. Their length is at least what it was
   * then, and is not among the {@link #length lengths}.
   *
   * @param starts when each of the others began
   */
  WaitSeries withOpen(List<Instant> starts, Instant until) {
    Builder all = new Builder(site, source);
    all.cells.addAll(cells);
    starts.forEach(
        start -> all.occupy(Nanos.since1970(start), Duration.between(start, until).toNanos()));
    all.lengths.addAll(lengths);
    return all.build();
  }

  /** When threads waited, bucket by bucket. */
  Cells cells() {
    return cells;
  }

  static long bucket(Instant instant) {
    return Math.floorDiv(Nanos.since1970(instant), BUCKET_NANOS);
  }

  /** Collects waits in any order. Not thread-safe. */
  public static final class Builder {
    private final WaitSite site;
    private final Source source;
    private final Cells cells = new Cells();
    private final WaitLengths lengths = new WaitLengths();

    /** The latest bucket and its start; cached because the division is the most expensive step. */
    private long bucket;

    private long bucketFrom;
    private boolean anyThread;
    private long thread;
    private boolean severalThreads = true;

    public Builder(WaitSite site, Source source) {
      this.site = site;
      this.source = source;
    }

    public void add(Instant start, Duration duration, long threadId) {
      add(Nanos.since1970(start), duration.toNanos(), threadId);
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

    public void add(Instant start, Duration duration) {
      add(Nanos.since1970(start), duration.toNanos());
    }

    private void add(long from, long nanos) {
      lengths.add(nanos);
      occupy(from, nanos);
    }

    private void occupy(long from, long nanos) {
      if (from < bucketFrom || from - bucketFrom >= BUCKET_NANOS) {
        bucket = Math.floorDiv(from, BUCKET_NANOS);
        bucketFrom = bucket * BUCKET_NANOS;
      }
      cells.begin(bucket, nanos);
      long rest = nanos;
      long room = bucketFrom + BUCKET_NANOS - from;
      for (long at = bucket; rest > 0; at++) {
        cells.waited(at, Math.min(rest, room));
        rest -= room;
        room = BUCKET_NANOS;
        if (rest > MOST_BUCKETS * BUCKET_NANOS) {
          long whole = rest / BUCKET_NANOS;
          cells.longWaits.add(at + 1, at + 1 + whole);
          rest -= whole * BUCKET_NANOS;
          at += whole;
        }
      }
    }

    /** The finished series; this builder must not be used afterwards. */
    public WaitSeries build() {
      return new WaitSeries(this);
    }
  }

  /**
   * The waits of each bucket, in columns: a recording has millions of waits, and some ten thousand
   * buckets per site. Buckets without waits are not stored, nor the single buckets of a long wait.
   */
  static final class Cells {

    private final RowIndex buckets = new RowIndex();

    private int[] begun = {};

    /** The whole length of the waits that began in the bucket, in nanoseconds. */
    private long[] begunNanos = {};

    private long[] longestNanos = {};

    /** Thread time spent waiting inside the bucket, in nanoseconds. */
    private double[] waitedNanos = {};

    private LongWaits longWaits = new LongWaits();

    /** Adds a wait of that length that begins in a bucket. */
    void begin(long bucket, long nanos) {
      int row = row(bucket);
      begun[row]++;
      begunNanos[row] += nanos;
      longestNanos[row] = Math.max(longestNanos[row], nanos);
    }

    void waited(long bucket, double nanos) {
      int row = row(bucket);
      waitedNanos[row] += nanos;
    }

    void addAll(Cells others) {
      for (int from = 0; from < others.count(); from++) {
        int row = row(others.bucket(from));
        begun[row] += others.begun[from];
        begunNanos[row] += others.begunNanos[from];
        longestNanos[row] = Math.max(longestNanos[row], others.longestNanos[from]);
        waitedNanos[row] += others.waitedNanos[from];
      }
      longWaits.addAll(others.longWaits);
    }

    private int row(long bucket) {
      int row = buckets.row(bucket);
      if (row >= begun.length) {
        int room = Math.max(Long.BYTES, begun.length + begun.length / 2);
        begun = Arrays.copyOf(begun, room);
        begunNanos = Arrays.copyOf(begunNanos, room);
        longestNanos = Arrays.copyOf(longestNanos, room);
        waitedNanos = Arrays.copyOf(waitedNanos, room);
      }
      return row;
    }

    /** A copy in order of time, without spare capacity. */
    Cells inOrder() {
      Cells ordered = new Cells();
      ordered.longWaits = longWaits.inOrder();
      long[] times = buckets.sorted();
      ordered.begun = new int[times.length];
      ordered.begunNanos = new long[times.length];
      ordered.longestNanos = new long[times.length];
      ordered.waitedNanos = new double[times.length];
      for (long bucket : times) {
        int from = buckets.find(bucket);
        int to = ordered.buckets.row(bucket);
        ordered.begun[to] = begun[from];
        ordered.begunNanos[to] = begunNanos[from];
        ordered.longestNanos[to] = longestNanos[from];
        ordered.waitedNanos[to] = waitedNanos[from];
      }
      return ordered;
    }

    int count() {
      return buckets.count();
    }

    /** The first row at or after a bucket; rows must be in order. */
    int firstFrom(long bucket) {
      return Halving.place(count(), row -> buckets.key((int) row) >= bucket);
    }

    long bucket(int row) {
      return buckets.key(row);
    }

    /** Thread time spent waiting in a range of buckets, its end excluded. */
    double waitedBetween(long from, long to) {
      double nanos = longWaits.sum(from, to) * BUCKET_NANOS;
      int end = firstFrom(to);
      for (int row = firstFrom(from); row < end; row++) {
        nanos += waitedNanos[row];
      }
      return nanos;
    }

    /** The row of a bucket; {@link RowIndex#NONE} if it has none. */
    int find(long bucket) {
      return buckets.find(bucket);
    }

    /** Upper bound of the waits that began in a bucket and are at least that long. */
    double begunAsLong(long bucket, long nanos) {
      int row = find(bucket);
      return row == RowIndex.NONE || longestNanos[row] < nanos
          ? 0
          : Math.min(begun[row], (double) begunNanos[row] / nanos);
    }

    /** Threads in short waits, as the mean over the bucket of a row. */
    double threadsInRow(int row) {
      return waitedNanos[row] / BUCKET_NANOS;
    }

    int inLongWaits(long bucket) {
      return longWaits.threads(bucket);
    }

    /** The largest number of waiting threads in a range of buckets, its end excluded. */
    double mostThreads(long from, long to) {
      double most = longWaits.most(from, to);
      int end = firstFrom(to);
      for (int row = firstFrom(from); row < end; row++) {
        most = Math.max(most, threadsInRow(row) + inLongWaits(bucket(row)));
      }
      return most;
    }

    /** The first bucket at or after a bucket in which a thread waits. */
    long firstWaited(long from) {
      long at = from;
      while (longWaits.threads(at) == 0) {
        int row = firstFrom(at);
        long next = longWaits.nextChange(at);
        if (row < count() && bucket(row) <= next) {
          return bucket(row);
        }
        if (next == Long.MAX_VALUE) {
          return next;
        }
        at = next;
      }
      return at;
    }

    /** All buckets with waits and their neighbours on both sides, in order. */
    long[] changes() {
      LongStream rows = LongStream.range(0, count()).map(row -> bucket((int) row));
      return LongStream.concat(rows, longWaits.changes())
          .flatMap(bucket -> LongStream.rangeClosed(bucket - 1, bucket + 1))
          .sorted()
          .distinct()
          .toArray();
    }
  }

  /** Histogram of wait lengths, in classes of an eighth of an octave (9 % wide). */
  static final class WaitLengths {

    private static final int STEPS = 8;

    private long[] counts = {};

    /** The class of a length. */
    private static int step(long nanos) {
      return (int) Math.round(STEPS * Math.log(Math.max(1, nanos)) / Math.log(2));
    }

    void add(long nanos) {
      int step = step(nanos);
      if (step >= counts.length) {
        counts = Arrays.copyOf(counts, step + STEPS);
      }
      counts[step]++;
    }

    void addAll(WaitLengths others) {
      counts = Arrays.copyOf(counts, Math.max(counts.length, others.counts.length));
      Arrays.setAll(
          counts, step -> counts[step] + (step < others.counts.length ? others.counts[step] : 0));
    }

    long count() {
      return Arrays.stream(counts).sum();
    }

    /** Waits in all classes below that of the length. */
    long countShorterThan(long nanos) {
      return Arrays.stream(counts, 0, Math.min(counts.length, step(nanos))).sum();
    }

    /**
     * The quantile of the lengths, in nanoseconds.
     *
     * @param share 0 to 1
     */
    long length(double share) {
      double wanted = share * count();
      long seen = 0;
      int last = 0;
      for (int step = 0; step < counts.length; step++) {
        if (counts[step] > 0) {
          last = step;
          seen += counts[step];
          if (seen >= wanted) {
            break;
          }
        }
      }
      return Math.round(Math.pow(2, (double) last / STEPS));
    }
  }

  /**
   * Number of threads in long waits over time, as a step function: a wait of a day is two numbers
   * and not 864,000 buckets.
   */
  private static final class LongWaits {

    /**
     * The first bucket of each wait, and the first bucket after it; each array is sorted
     * separately.
     */
    private long[] begins = {};

    private long[] ends = {};
    private int count;

    /** Adds a wait from a bucket to a bucket that it no longer fills. */
    void add(long from, long to) {
      if (count == begins.length) {
        int room = Math.max(Long.BYTES, 2 * count);
        begins = Arrays.copyOf(begins, room);
        ends = Arrays.copyOf(ends, room);
      }
      begins[count] = from;
      ends[count++] = to;
    }

    void addAll(LongWaits others) {
      for (int i = 0; i < others.count; i++) {
        add(others.begins[i], others.ends[i]);
      }
    }

    /** A sorted copy for queries. */
    LongWaits inOrder() {
      LongWaits ordered = new LongWaits();
      ordered.count = count;
      ordered.begins = Arrays.copyOf(begins, count);
      ordered.ends = Arrays.copyOf(ends, count);
      Arrays.sort(ordered.begins);
      Arrays.sort(ordered.ends);
      return ordered;
    }

    boolean isEmpty() {
      return count == 0;
    }

    int threads(long bucket) {
      return upTo(begins, bucket) - upTo(ends, bucket);
    }

    /**
     * The next bucket after that one in which the number may change; the largest number if none.
     */
    long nextChange(long bucket) {
      int begin = upTo(begins, bucket);
      int end = upTo(ends, bucket);
      return Math.min(
          begin < count ? begins[begin] : Long.MAX_VALUE, end < count ? ends[end] : Long.MAX_VALUE);
    }

    /** The first and the last bucket of each wait, in any order. */
    LongStream changes() {
      return LongStream.concat(
          Arrays.stream(begins, 0, count), Arrays.stream(ends, 0, count).map(end -> end - 1));
    }

    /** Sum of the threads over a range of buckets, its end excluded. */
    double sum(long from, long to) {
      double sum = 0;
      for (long at = from; at < to && !isEmpty(); ) {
        long until = Math.min(to, nextChange(at));
        sum += (double) threads(at) * (until - at);
        at = until;
      }
      return sum;
    }

    /** The largest number of threads in a range of buckets, its end excluded. */
    int most(long from, long to) {
      int most = 0;
      for (long at = from; at < to && !isEmpty(); at = nextChange(at)) {
        most = Math.max(most, threads(at));
      }
      return most;
    }

    /** How many of the sorted numbers are at or before a bucket. */
    private int upTo(long[] sorted, long bucket) {
      return Halving.place(count, i -> sorted[(int) i] > bucket);
    }
  }
}
