package io.gcdiag.evidence.threads;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * How many threads spend whole buckets in waits that last for many of them, as a number that
 * changes now and then: a wait of a day is two numbers and not 864,000 buckets.
 */
final class LongWaits {

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

  /** The first bucket after that one in which their number may be another; the greatest if none. */
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
