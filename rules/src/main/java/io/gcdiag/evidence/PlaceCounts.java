package io.gcdiag.evidence;

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

  private static final int FIRST_SIZE = 64;

  /** Spreads numbers that differ in few bits (Fibonacci hashing, 2^64 / golden ratio). */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int HIGH_HALF = 32;

  private final int mostCells;

  /** An open hash table; a slot without an amount is free. */
  private long[] cells = new long[FIRST_SIZE];

  private long[] amounts = new long[FIRST_SIZE];
  private int count;
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
   * @param amount greater than 0
   */
  void add(int place, long at, long amount) {
    if (at < latestFrom || at >= latestTo) {
      latest = Math.floorDiv(at, SECOND * width);
      latestFrom = latest * SECOND * width;
      latestTo = latestFrom + SECOND * width;
    }
    addTo(latest, place, amount);
    while (count > mostCells && width < Integer.MAX_VALUE / 2) {
      coarsen();
    }
  }

  private void addTo(long bucket, int place, long amount) {
    long cell = bucket << PLACE_BITS | place;
    int slot = slot(cell);
    if (amounts[slot] == 0) {
      if (2 * count >= cells.length) {
        resize(2 * cells.length, 0);
        slot = slot(cell);
      }
      cells[slot] = cell;
      count++;
    }
    amounts[slot] += amount;
  }

  private int slot(long cell) {
    int mask = cells.length - 1;
    int slot = (int) (cell * SPREAD >>> HIGH_HALF) & mask;
    while (cells[slot] != cell && amounts[slot] != 0) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /**
   * Moves all cells to new memory.
   *
   * @param halvings how often two buckets become one
   */
  private void resize(int size, int halvings) {
    long[] oldCells = cells;
    long[] oldAmounts = amounts;
    cells = new long[size];
    amounts = new long[size];
    count = 0;
    for (int i = 0; i < oldCells.length; i++) {
      if (oldAmounts[i] != 0) {
        addTo(bucket(oldCells[i]) >> halvings, place(oldCells[i]), oldAmounts[i]);
      }
    }
  }

  private static long bucket(long cell) {
    return cell >> PLACE_BITS;
  }

  private static int place(long cell) {
    return (int) cell & PLACES - 1;
  }

  private void coarsen() {
    width *= 2;
    latestTo = latestFrom;
    resize(cells.length, 1);
  }

  /** Amounts of the buckets whose middle lies in the window, by place. */
  Map<Integer, Long> within(Window window) {
    Map<Integer, Long> sums = new HashMap<>();
    for (int slot = 0; slot < cells.length; slot++) {
      long middle = bucket(cells[slot]) * width + width / 2;
      if (amounts[slot] != 0
          && middle >= window.from().getEpochSecond()
          && middle < window.to().getEpochSecond()) {
        sums.merge(place(cells[slot]), amounts[slot], Long::sum);
      }
    }
    return sums;
  }
}
