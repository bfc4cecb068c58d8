package io.gcdiag.evidence;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Amounts by place in the code over time, as {@link BucketCounts} keeps them by any key: buckets of
 * a second, which double in width whenever there are too many. Whole stacks are added to with every
 * event that has one, so that here a cell is a number in an array. Not safe for use by several
 * threads.
 */
final class PlaceCounts {

  /** Some megabytes; an hour of a recording stays below. */
  private static final int MOST_CELLS = 200_000;

  /** Room for the number of a place beside that of a bucket. */
  private static final int PLACE_BITS = 24;

  private static final int PLACES = 1 << PLACE_BITS;
  private static final long SECOND = 1_000_000_000L;

  private final int mostCells;
  private Rows cells = new Rows();
  private long[] amounts = {};
  private int width = 1;

  /**
   * The bucket before, and its borders in nanoseconds: a division is the most costly thing here.
   */
  private long latest;

  private long latestFrom;
  private long latestTo;

  PlaceCounts() {
    this(MOST_CELLS);
  }

  PlaceCounts(int mostCells) {
    this.mostCells = mostCells;
  }

  /**
   * Adds an amount.
   *
   * @param place from 0 to 16,777,215
   * @param at nanoseconds since 1970
   */
  void add(int place, long at, long amount) {
    if (at < latestFrom || at >= latestTo) {
      latest = Math.floorDiv(at, SECOND * width);
      latestFrom = latest * SECOND * width;
      latestTo = latestFrom + SECOND * width;
    }
    addTo(latest, place, amount);
    while (cells.count() > mostCells && width < Integer.MAX_VALUE / 2) {
      coarsen();
    }
  }

  private void addTo(long bucket, int place, long amount) {
    int row = cells.row(bucket << PLACE_BITS | place);
    if (row >= amounts.length) {
      amounts = Arrays.copyOf(amounts, Math.max(Long.SIZE, 2 * row));
    }
    amounts[row] += amount;
  }

  private long bucket(int row) {
    return cells.key(row) >> PLACE_BITS;
  }

  private int place(int row) {
    return (int) cells.key(row) & PLACES - 1;
  }

  private void coarsen() {
    PlaceCounts narrow = new PlaceCounts(mostCells);
    narrow.cells = cells;
    narrow.amounts = amounts;
    cells = new Rows();
    amounts = new long[narrow.amounts.length];
    width *= 2;
    latestTo = latestFrom;
    for (int row = 0; row < narrow.cells.count(); row++) {
      addTo(Math.floorDiv(narrow.bucket(row), 2), narrow.place(row), narrow.amounts[row]);
    }
  }

  /** Amounts of the buckets whose middle lies in the window, by place. */
  Map<Integer, Long> within(Window window) {
    Map<Integer, Long> sums = new HashMap<>();
    for (int row = 0; row < cells.count(); row++) {
      long middle = bucket(row) * width + width / 2;
      if (middle >= window.from().getEpochSecond() && middle < window.to().getEpochSecond()) {
        sums.merge(place(row), amounts[row], Long::sum);
      }
    }
    return sums;
  }
}
