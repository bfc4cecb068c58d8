package io.gcdiag.evidence.time;

import java.util.Arrays;

/**
 * Assigns rows to numbers, from 0 without gaps, so that sums by number can be kept in arrays. An
 * open hash table without objects, because every event uses it.
 */
public final class RowIndex {

  public static final int NONE = -1;

  private static final int FIRST_SIZE = 16;

  /** Spreads numbers that differ in few bits (Fibonacci hashing, 2^64 / golden ratio). */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int HIGH_HALF = 32;

  private long[] keys = new long[FIRST_SIZE];

  /** The row of each slot's key, counted from 1; 0 for a free slot. */
  private int[] rows = new int[2 * FIRST_SIZE];

  private int count;
  private int latest = NONE;

  public int count() {
    return count;
  }

  public long key(int row) {
    return keys[row];
  }

  /** The row of a number; a new row if it has none. */
  public int row(long key) {
    // Consecutive calls often use the same number.
    if (latest != NONE && keys[latest] == key) {
      return latest;
    }
    int slot = slot(key);
    if (rows[slot] == 0) {
      if (count == keys.length) {
        grow();
        slot = slot(key);
      }
      keys[count++] = key;
      rows[slot] = count;
    }
    latest = rows[slot] - 1;
    return latest;
  }

  /** The row of a number; {@link #NONE} if it has none. */
  public int find(long key) {
    return rows[slot(key)] - 1;
  }

  /** All numbers with a row, ascending. */
  public long[] sorted() {
    long[] all = Arrays.copyOf(keys, count);
    Arrays.sort(all);
    return all;
  }

  private int slot(long key) {
    int mask = rows.length - 1;
    int slot = (int) (key * SPREAD >>> HIGH_HALF) & mask;
    while (rows[slot] != 0 && keys[rows[slot] - 1] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    keys = Arrays.copyOf(keys, 2 * count);
    rows = new int[2 * keys.length];
    for (int row = 0; row < count; row++) {
      rows[slot(keys[row])] = row + 1;
    }
  }
}
