package io.gcdiag.read.jfr.reader;

import java.util.Arrays;

/**
 * Positions of the constants of one type, by their numbers. They are kept in plain arrays, because
 * a chunk has some ten thousand constants and most are never used. Each constant has a row, in
 * reading order; an index maps numbers to rows.
 */
final class Pool {

  private static final int FIRST_SIZE = 64;

  /**
   * Numbers whose average distance is at most this are indexed directly by their distance from the
   * smallest: a JVM counts its stacks and threads.
   */
  private static final int CLOSE = 4;

  /** Spreads numbers that differ in few bits (Fibonacci hashing, 2^64 / golden ratio). */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int HIGH_HALF = 32;

  static final int FREE = -1;

  /** The empty pool of a type without constants. */
  static final Pool NONE = new Pool();

  private long[] keys = {};
  private int[] blocks = {};
  private int[] places = {};
  private int[] ends = {};
  private int count;

  /** Rows, counted from 1, by the distance from the smallest number or by a hash; 0 is free. */
  private int[] index = {};

  /** How much of the index is in use. */
  private int indexed;

  private boolean direct = true;
  private long least;

  /** Removes all constants and keeps the memory. */
  void clear() {
    count = 0;
    indexed = 0;
    direct = true;
  }

  /**
   * Adds the position of a value, which can be found after {@link #index()}.
   *
   * @param block number of the event with constants
   * @param place where it begins in that event
   */
  void put(long key, int block, int place, int end) {
    if (count == keys.length) {
      grow();
    }
    keys[count] = key;
    blocks[count] = block;
    places[count] = place;
    ends[count] = end;
    count++;
  }

  private void grow() {
    int size = Math.max(FIRST_SIZE, 2 * count);
    keys = Arrays.copyOf(keys, size);
    blocks = Arrays.copyOf(blocks, size);
    places = Arrays.copyOf(places, size);
    ends = Arrays.copyOf(ends, size);
  }

  /** Builds the index; of two constants with one number, the later one is found. */
  void index() {
    if (count == 0) {
      return;
    }
    least = keys[0];
    long greatest = keys[0];
    for (int row = 1; row < count; row++) {
      least = Math.min(least, keys[row]);
      greatest = Math.max(greatest, keys[row]);
    }
    long most = (long) CLOSE * count;
    // The difference of very distant numbers overflows and is negative.
    direct = greatest - least >= 0 && greatest - least < most;
    indexed = direct ? (int) (greatest - least) + 1 : Integer.highestOneBit(count) * CLOSE;
    if (indexed > index.length) {
      index = new int[indexed];
    } else {
      Arrays.fill(index, 0, indexed, 0);
    }
    for (int row = 0; row < count; row++) {
      index[direct ? (int) (keys[row] - least) : slot(keys[row])] = row + 1;
    }
  }

  private int slot(long key) {
    int mask = indexed - 1;
    int slot = (int) (key * SPREAD >>> HIGH_HALF) & mask;
    while (index[slot] != 0 && keys[index[slot] - 1] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /** The row of a number; {@link #FREE} if it has none. */
  int find(long key) {
    if (direct) {
      long distance = key - least;
      return distance >= 0 && distance < indexed ? index[(int) distance] - 1 : FREE;
    }
    return index[slot(key)] - 1;
  }

  int count() {
    return count;
  }

  /** The event with constants that contains a value. */
  int block(int row) {
    return blocks[row];
  }

  /** Where in that event it stands. */
  int place(int row) {
    return places[row];
  }

  int end(int row) {
    return ends[row];
  }
}
