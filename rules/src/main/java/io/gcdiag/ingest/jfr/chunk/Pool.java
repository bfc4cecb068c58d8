package io.gcdiag.ingest.jfr.chunk;

import java.util.Arrays;

/**
 * Where the constants of one type stand, by their numbers. An open hash table of plain numbers: a
 * chunk has some ten thousand constants, of which most are never asked for.
 */
final class Pool {

  private static final int FIRST_SIZE = 64;

  /** Spreads numbers that differ in few bits (Fibonacci hashing, 2^64 / golden ratio). */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int HIGH_HALF = 32;

  /** No place. */
  static final int FREE = -1;

  /** Stands in places that are not taken: no producer numbers a constant so. */
  private static final long NO_KEY = Long.MIN_VALUE;

  /** Has no constants, and gets none. */
  static final Pool NONE = new Pool();

  private long[] keys = free(FIRST_SIZE);
  private int[] blocks = new int[FIRST_SIZE];
  private int[] places = new int[FIRST_SIZE];
  private int[] ends = new int[FIRST_SIZE];
  private int count;

  private static long[] free(int size) {
    long[] keys = new long[size];
    Arrays.fill(keys, NO_KEY);
    return keys;
  }

  /** Forgets all constants and keeps the room for them. */
  void clear() {
    if (count > 0) {
      count = 0;
      Arrays.fill(keys, NO_KEY);
    }
  }

  /**
   * Remembers where a value stands; of two for one number, the later one said.
   *
   * @param block in which event with constants
   * @param place where it begins in that event
   * @param end where it ends
   */
  void put(long key, int block, int place, int end) {
    if (count * 2 >= keys.length) {
      grow();
    }
    int slot = slot(key);
    if (keys[slot] == NO_KEY) {
      count++;
    }
    set(slot, key, block, place, end);
  }

  private void set(int slot, long key, int block, int place, int end) {
    keys[slot] = key;
    blocks[slot] = block;
    places[slot] = place;
    ends[slot] = end;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) (key * SPREAD >>> HIGH_HALF) & mask;
    while (keys[slot] != key && keys[slot] != NO_KEY) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldBlocks = blocks;
    int[] oldPlaces = places;
    int[] oldEnds = ends;
    keys = free(oldKeys.length * 2);
    blocks = new int[keys.length];
    places = new int[keys.length];
    ends = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != NO_KEY) {
        set(slot(oldKeys[i]), oldKeys[i], oldBlocks[i], oldPlaces[i], oldEnds[i]);
      }
    }
  }

  /** Where the value of a number is kept; {@link #FREE} if there is none. */
  int find(long key) {
    int slot = slot(key);
    return keys[slot] == NO_KEY ? FREE : slot;
  }

  /** All places where values are kept are less than this. */
  int slots() {
    return keys.length;
  }

  /** In which event with constants a value stands. */
  int block(int slot) {
    return blocks[slot];
  }

  /** Where in that event it stands. */
  int place(int slot) {
    return places[slot];
  }

  /** Where it ends. */
  int end(int slot) {
    return ends[slot];
  }
}
