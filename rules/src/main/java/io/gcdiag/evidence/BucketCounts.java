package io.gcdiag.evidence;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts by key over time, in bounded memory: buckets of a second, which double in width whenever
 * there are too many. Not safe for use by several threads.
 */
final class BucketCounts<K> {

  /** Some tens of megabytes. A recording of an hour stays far below. */
  private static final int MOST_CELLS = 200_000;

  private final int mostCells;
  private Map<Cell<K>, Long> cells = new HashMap<>();
  private int width = 1;

  private record Cell<K>(K key, long bucket) {}

  BucketCounts() {
    this(MOST_CELLS);
  }

  BucketCounts(int mostCells) {
    this.mostCells = mostCells;
  }

  void add(K key, Instant at) {
    add(key, at, 1);
  }

  void add(K key, Instant at, long amount) {
    cells.merge(new Cell<>(key, Math.floorDiv(at.getEpochSecond(), width)), amount, Long::sum);
    while (cells.size() > mostCells && width < Integer.MAX_VALUE / 2) {
      coarsen();
    }
  }

  private void coarsen() {
    Map<Cell<K>, Long> wider = new HashMap<>();
    cells.forEach(
        (cell, count) ->
            wider.merge(new Cell<>(cell.key(), Math.floorDiv(cell.bucket(), 2)), count, Long::sum));
    cells = wider;
    width *= 2;
  }

  /**
   * Counts of the buckets whose middle lies in the window; for buckets of a second those that
   * {@link Series#sum} takes, so that parts and their sum agree.
   */
  Map<K, Long> within(Window window) {
    Map<K, Long> counts = new HashMap<>();
    cells.forEach(
        (cell, count) -> {
          long start = cell.bucket() * width;
          long middle = start + width / 2;
          if (middle >= window.from().getEpochSecond() && middle < window.to().getEpochSecond()) {
            counts.merge(cell.key(), count, Long::sum);
          }
        });
    return counts;
  }
}
