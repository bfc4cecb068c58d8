package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.time.RowIndex;
import io.gcdiag.units.Halving;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * What happened in each bucket of time, in columns: a recording has millions of waits, and some ten
 * thousand buckets for each site. Buckets in which nothing happened are not kept, nor those that a
 * long wait fills one by one.
 */
final class WaitCells {

  private final RowIndex buckets = new RowIndex();

  /** Waits that began in the bucket. */
  private int[] begun = {};

  /** The whole length of the waits that began in the bucket, in nanoseconds. */
  private long[] begunNanos = {};

  /** The longest of the waits that began in the bucket, in nanoseconds. */
  private long[] longestNanos = {};

  /** Thread time spent waiting inside the bucket, in nanoseconds. */
  private double[] waitedNanos = {};

  private final LongWaits longWaits;

  WaitCells() {
    this(new LongWaits());
  }

  private WaitCells(LongWaits longWaits) {
    this.longWaits = longWaits;
  }

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

  /** Adds the time that others waited, and nothing else of theirs. */
  void addWaited(WaitCells others) {
    for (int row = 0; row < others.count(); row++) {
      waited(others.bucket(row), others.waitedNanos[row]);
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
  WaitCells inOrder() {
    WaitCells ordered = new WaitCells(longWaits.inOrder());
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

  long begun(int row) {
    return begun[row];
  }

  long begunNanos(int row) {
    return begunNanos[row];
  }

  long longestNanos(int row) {
    return longestNanos[row];
  }

  /** Thread time spent waiting from one bucket to before another. */
  double waitedBetween(long from, long to) {
    double nanos = longWaits.sum(from, to) * WaitSeries.BUCKET_NANOS;
    int end = firstFrom(to);
    for (int row = firstFrom(from); row < end; row++) {
      nanos += waitedNanos[row];
    }
    return nanos;
  }

  /** Threads waiting, as the mean over a bucket. */
  double threads(long bucket) {
    int row = find(bucket);
    return (row == RowIndex.NONE ? 0 : threadsInRow(row)) + inLongWaits(bucket);
  }

  /** The row of a bucket; {@link RowIndex#NONE} if it has none. */
  int find(long bucket) {
    return buckets.find(bucket);
  }

  /** Those of them that are in waits of some buckets. */
  double threadsInRow(int row) {
    return waitedNanos[row] / WaitSeries.BUCKET_NANOS;
  }

  /** Those of them that are in waits of many. */
  int inLongWaits(long bucket) {
    return longWaits.threads(bucket);
  }

  /** The most threads waiting in any bucket from one to before another. */
  double mostThreads(long from, long to) {
    double most = longWaits.most(from, to);
    int end = firstFrom(to);
    for (int row = firstFrom(from); row < end; row++) {
      most = Math.max(most, threads(bucket(row)));
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
