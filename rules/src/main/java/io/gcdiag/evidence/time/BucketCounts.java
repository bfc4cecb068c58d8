package io.gcdiag.evidence.time;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts by key over time, in bounded memory: buckets of a second, which double in width whenever
 * there are too many. Not thread-safe.
 */
public final class BucketCounts<K> {

  /** Some tens of megabytes; a recording of an hour stays far below. */
  private static final int MOST_CELLS = 200_000;

  private final int mostCells;

  private Map<Long, Map<K, long[]>> buckets = new HashMap<>();

  private Map<K, long[]> latest = Map.of();
  private long latestBucket;
  private int cells;
  private int width = 1;

  public BucketCounts() {
    this(MOST_CELLS);
  }

  BucketCounts(int mostCells) {
    this.mostCells = mostCells;
  }

  public void add(K key, Instant at) {
    add(key, at, 1);
  }

  void add(K key, Instant at, long amount) {
    add(key, Math.floorDiv(at.getEpochSecond(), width), amount);
    while (cells > mostCells && width < Integer.MAX_VALUE / 2) {
      coarsen();
    }
  }

  private void add(K key, long bucket, long amount) {
    if (cells == 0 || bucket != latestBucket) {
      latestBucket = bucket;
      latest = buckets.computeIfAbsent(bucket, any -> new HashMap<>());
    }
    long[] count = latest.get(key);
    if (count == null) {
      latest.put(key, new long[] {amount});
      cells++;
    } else {
      count[0] += amount;
    }
  }

  public void add(BucketCounts<K> others) {
    others.buckets.forEach(
        (bucket, counts) ->
            counts.forEach(
                (key, count) -> add(key, Instant.ofEpochSecond(bucket * others.width), count[0])));
  }

  private void coarsen() {
    Map<Long, Map<K, long[]>> narrow = buckets;
    buckets = new HashMap<>();
    cells = 0;
    width *= 2;
    narrow.forEach(
        (bucket, counts) ->
            counts.forEach((key, count) -> add(key, Math.floorDiv(bucket, 2), count[0])));
  }

  /**
   * Counts of the buckets whose middle is in the window. For buckets of a second these are the
   * buckets of {@link Series#sum}, so that parts and their sum agree.
   */
  public Map<K, Long> within(Window window) {
    Map<K, Long> sums = new HashMap<>();
    buckets.forEach(
        (bucket, counts) -> {
          long middle = bucket * width + width / 2;
          if (middle >= window.from().getEpochSecond() && middle < window.to().getEpochSecond()) {
            counts.forEach((key, count) -> sums.merge(key, count[0], Long::sum));
          }
        });
    return sums;
  }
}
