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
 * Waits of one kind at one site over time, kept in buckets of {@link #BUCKET} so that a recording
 * of any size needs memory for its length at most, never for its events. Time in which no request
 * waits takes none.
 */
public final class WaitSeries {

  /**
   * The width of a bucket: fine enough to see one pause of a collector, coarse enough to be small.
   */
  public static final Duration BUCKET = Duration.ofMillis(100);

  static final long BUCKET_NANOS = BUCKET.toNanos();

  /** A wait that fills more buckets, a minute's, is kept by where it begins and ends. */
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
   * Waits summed up over a window.
   *
   * @param count waits that began in the window
   * @param total their whole length together
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

    /** Their mean length; zero without any. */
    public Duration mean() {
      return total.dividedBy(Math.max(1, count));
    }
  }

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

  /** Thread time that all of several series have in a window, in seconds. */
  public static double seconds(Collection<WaitSeries> all, Window window) {
    return all.stream().mapToDouble(one -> one.within(window).waitedSeconds()).sum();
  }

  /** Threads that wait at all of several sites, on average over a window. */
  public static double threads(Collection<WaitSeries> all, Window window) {
    return seconds(all, window) / window.seconds();
  }

  /** The waits at all of several sites in a window. */
  public static Totals totals(Collection<WaitSeries> all, Window window) {
    return all.stream()
        .map(one -> one.within(window))
        .reduce(new Totals(0, Duration.ZERO, Duration.ZERO, 0), Totals::plus);
  }

  /** Those of threads that serve requests. */
  public static List<WaitSeries> ofRequests(Collection<WaitSeries> all) {
    return all.stream().filter(one -> one.site().onRequestThread()).toList();
  }

  /** Of several series the one that threads spent most time in in a window; absent if none are. */
  public static Optional<WaitSeries> longest(Collection<WaitSeries> all, Window window) {
    return all.stream().max(Comparator.comparingDouble(one -> one.within(window).waitedSeconds()));
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

  /** The highest mean number of threads waiting in any bucket of the window. */
  public double peakWaiting(Window window) {
    return cells.mostThreads(bucket(window.from()), bucket(window.to()));
  }

  /** When threads waited, bucket by bucket. */
  Cells cells() {
    return cells;
  }

  static long bucket(Instant instant) {
    return Math.floorDiv(Nanos.since1970(instant), BUCKET_NANOS);
  }

  /** Collects waits in any order. Not safe for use by several threads. */
  public static final class Builder {
    private final WaitSite site;
    private final Source source;
    private final Cells cells = new Cells();
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

    /** Adds one wait. */
    public void add(Instant start, Duration duration) {
      add(Nanos.since1970(start), duration.toNanos());
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
        if (rest > MOST_BUCKETS * BUCKET_NANOS) {
          long whole = rest / BUCKET_NANOS;
          cells.waitedAll(at + 1, at + 1 + whole);
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
   * What happened in each bucket of time, in columns: a recording has millions of waits, and some
   * ten thousand buckets for each site. Buckets in which nothing happened are not kept, nor those
   * that a long wait fills one by one.
   */
  static final class Cells {

    private final RowIndex buckets = new RowIndex();

    /** Waits that began in the bucket. */
    private int[] begun = {};

    /** The whole length of the waits that began in the bucket, in nanoseconds. */
    private long[] begunNanos = {};

    /** The longest of the waits that began in the bucket, in nanoseconds. */
    private long[] longestNanos = {};

    /** Thread time spent waiting inside the bucket, in nanoseconds. */
    private double[] waitedNanos = {};

    private LongWaits longWaits = new LongWaits();

    /** A wait of that length begins in a bucket. */
    void begin(long bucket, long nanos) {
      int row = row(bucket);
      begun[row]++;
      begunNanos[row] += nanos;
      longestNanos[row] = Math.max(longestNanos[row], nanos);
    }

    /** A thread waits so long in a bucket. */
    void waited(long bucket, double nanos) {
      int row = row(bucket);
      waitedNanos[row] += nanos;
    }

    /** A thread waits all the time from one bucket to another. */
    void waitedAll(long from, long to) {
      longWaits.add(from, to);
    }

    /** Adds what others have. */
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

    /** The same in the order of time, and without room for more. */
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

    /** How many buckets something happened in. */
    int count() {
      return buckets.count();
    }

    /** Of ordered cells, the first row that is not before a bucket. */
    int firstFrom(long bucket) {
      return Halving.place(count(), row -> buckets.key((int) row) >= bucket);
    }

    long bucket(int row) {
      return buckets.key(row);
    }

    /** Thread time spent waiting from one bucket to before another. */
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

    /** The most of the waits begun in a bucket that can be so long. */
    double begunAsLong(long bucket, long nanos) {
      int row = find(bucket);
      return row == RowIndex.NONE || longestNanos[row] < nanos
          ? 0
          : Math.min(begun[row], (double) begunNanos[row] / nanos);
    }

    /** Threads in waits of some buckets, as the mean over one. */
    double threadsInRow(int row) {
      return waitedNanos[row] / BUCKET_NANOS;
    }

    /** Threads in waits of many buckets. */
    int inLongWaits(long bucket) {
      return longWaits.threads(bucket);
    }

    /** The most threads waiting in any bucket from one to before another. */
    double mostThreads(long from, long to) {
      double most = longWaits.most(from, to);
      int end = firstFrom(to);
      for (int row = firstFrom(from); row < end; row++) {
        most = Math.max(most, threadsInRow(row) + inLongWaits(bucket(row)));
      }
      return most;
    }

    /** The first bucket from that one on in which any thread waits. */
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

    /** All buckets in which something happened, and the one before and after each; in order. */
    long[] changes() {
      LongStream rows = LongStream.range(0, count()).map(row -> bucket((int) row));
      return LongStream.concat(rows, longWaits.changes())
          .flatMap(bucket -> LongStream.rangeClosed(bucket - 1, bucket + 1))
          .sorted()
          .distinct()
          .toArray();
    }
  }

  /** How many waits were how long, in classes of an eighth of an octave, 9 % wide. */
  static final class WaitLengths {

    private static final int STEPS = 8;

    /** Waits below this many octaves (nanoseconds; a day and a half) are classed by comparisons. */
    private static final int OCTAVES = 47;

    private static final long[] BORDERS = borders();

    /** So many bits of a double stand below its exponent and the first three behind the point. */
    private static final int EIGHTH_BITS = 49;

    private static final int EXPONENT_OF_ONE = 1023;

    /** By the number of the class. */
    private long[] counts = {};

    /**
     * The least length of each class. A comparison or two with these is a fraction of a logarithm,
     * and says the same: each border is held against it.
     */
    private static long[] borders() {
      long[] borders = new long[STEPS * OCTAVES];
      for (int step = 0; step < borders.length; step++) {
        long least = Math.round(Math.pow(2, (step - 0.5) / STEPS));
        while (least > 1 && logarithmic(least - 1) >= step) {
          least--;
        }
        while (logarithmic(least) < step) {
          least++;
        }
        borders[step] = least;
      }
      return borders;
    }

    private static int logarithmic(long nanos) {
      return (int) Math.round(STEPS * Math.log(Math.max(1, nanos)) / Math.log(2));
    }

    /** The class of a length. */
    private static int step(long nanos) {
      if (nanos <= 1) {
        return 0;
      }
      // The exponent, and the eighth of the octave: as the steps of a logarithm become shorter, the
      // class is this one or one of the next two.
      int step = (int) (Double.doubleToRawLongBits(nanos) >> EIGHTH_BITS) - STEPS * EXPONENT_OF_ONE;
      if (step >= STEPS * (OCTAVES - 1)) {
        return logarithmic(nanos);
      }
      while (nanos >= BORDERS[step + 1]) {
        step++;
      }
      return step;
    }

    void add(long nanos) {
      int step = step(nanos);
      if (step >= counts.length) {
        counts = Arrays.copyOf(counts, step + STEPS);
      }
      counts[step]++;
    }

    /** All waits. */
    long count() {
      return Arrays.stream(counts).sum();
    }

    /** The waits of all classes below that of a length. */
    long countShorterThan(long nanos) {
      return Arrays.stream(counts, 0, Math.min(counts.length, step(nanos))).sum();
    }

    /**
     * The length that so many of all waits stay within, in nanoseconds.
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
   * How many threads spend whole buckets in waits that last for many of them, as a number that
   * changes now and then: a wait of a day is two numbers and not 864,000 buckets.
   */
  private static final class LongWaits {

    /** The first buckets of waits, and those after their last ones: each in order on its own. */
    private long[] begins = {};

    private long[] ends = {};
    private int count;

    /** A thread waits from the first bucket on and no longer in the second. */
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

    /** The same, to be asked. */
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

    /** Threads in a bucket. */
    int threads(long bucket) {
      return upTo(begins, bucket) - upTo(ends, bucket);
    }

    /**
     * The first bucket after that one in which their number may be another; the greatest if none.
     */
    long nextChange(long bucket) {
      int begin = upTo(begins, bucket);
      int end = upTo(ends, bucket);
      return Math.min(
          begin < count ? begins[begin] : Long.MAX_VALUE, end < count ? ends[end] : Long.MAX_VALUE);
    }

    /** The first bucket and the last of each wait, in any order. */
    LongStream changes() {
      return LongStream.concat(
          Arrays.stream(begins, 0, count), Arrays.stream(ends, 0, count).map(end -> end - 1));
    }

    /** Threads summed up over the buckets from one to before another. */
    double sum(long from, long to) {
      double sum = 0;
      for (long at = from; at < to && !isEmpty(); ) {
        long until = Math.min(to, nextChange(at));
        sum += (double) threads(at) * (until - at);
        at = until;
      }
      return sum;
    }

    /** The most threads in a bucket from one to before another. */
    int most(long from, long to) {
      int most = 0;
      for (long at = from; at < to && !isEmpty(); at = nextChange(at)) {
        most = Math.max(most, threads(at));
      }
      return most;
    }

    /** How many of the numbers are not after that one. */
    private int upTo(long[] sorted, long bucket) {
      int low = 0;
      int high = count;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted[middle] <= bucket) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
