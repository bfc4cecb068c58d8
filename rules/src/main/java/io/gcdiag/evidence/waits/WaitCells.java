package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.time.RowIndex;
import java.util.Arrays;

/**
 * What happened in each bucket of time, in columns: a recording has millions of waits, and some ten
 * thousand buckets for each site.
 */
final class WaitCells {

  private final RowIndex buckets = new RowIndex();

  /** Waits that began in the bucket. */
  private long[] begun = {};

  /** The whole length of the waits that began in the bucket, in nanoseconds. */
  private long[] begunNanos = {};

  /** The longest of the waits that began in the bucket, in nanoseconds. */
  private long[] longestNanos = {};

  /** Thread time spent waiting inside the bucket, in nanoseconds. */
  private double[] waitedNanos = {};

  /** A wait of that length begins in a bucket. */
  void begin(long bucket, long nanos) {
    int row = row(bucket);
    begun[row]++;
    begunNanos[row] += nanos;
    longestNanos[row] = Math.max(longestNanos[row], nanos);
  }

  /** Somebody waits so long in a bucket. */
  void waited(long bucket, long nanos) {
    int row = row(bucket);
    waitedNanos[row] += nanos;
  }

  private int row(long bucket) {
    int row = buckets.row(bucket);
    if (row >= begun.length) {
      int room = Math.max(Long.BYTES, begun.length * 2);
      begun = Arrays.copyOf(begun, room);
      begunNanos = Arrays.copyOf(begunNanos, room);
      longestNanos = Arrays.copyOf(longestNanos, room);
      waitedNanos = Arrays.copyOf(waitedNanos, room);
    }
    return row;
  }

  /** The same in the order of time, and without room for more. */
  WaitCells inOrder() {
    WaitCells ordered = new WaitCells();
    long[] times = buckets.sorted();
    ordered.begun = new long[times.length];
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
    int low = 0;
    int high = count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (buckets.key(middle) < bucket) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
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

  double waitedNanos(int row) {
    return waitedNanos[row];
  }

  /** The same of a bucket, in which nothing may have happened. */
  double waitedIn(long bucket) {
    int row = buckets.find(bucket);
    return row == RowIndex.NONE ? 0 : waitedNanos[row];
  }
}
