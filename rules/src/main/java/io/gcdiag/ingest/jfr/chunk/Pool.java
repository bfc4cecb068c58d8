package io.gcdiag.ingest.jfr.chunk;

import java.util.Arrays;

/**
 * The constants of one type: where the value of each number stands, and what was made of it so far.
 * An open hash table of plain numbers: a chunk has some ten thousand constants, of which most are
 * never asked for.
 */
final class Pool {

  private static final int FIRST_SIZE = 64;

  /** Spreads numbers that differ in few bits (Fibonacci hashing, 2^64 / golden ratio). */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int HIGH_HALF = 32;

  /** A place that is not taken. */
  static final int FREE = -1;

  private long[] keys = new long[FIRST_SIZE];
  private int[] blocks = free(FIRST_SIZE);
  private int[] places = new int[FIRST_SIZE];
  private Constant[] made = {};
  private int count;

  private static int[] free(int size) {
    int[] blocks = new int[size];
    Arrays.fill(blocks, FREE);
    return blocks;
  }

  /** Remembers where a value stands; of two for one number, the later one said. */
  void put(long key, int block, int place) {
    if (count * 2 >= keys.length) {
      grow();
    }
    int slot = slot(key);
    if (blocks[slot] == FREE) {
      count++;
    }
    keys[slot] = key;
    blocks[slot] = block;
    places[slot] = place;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = (int) (key * SPREAD >>> HIGH_HALF) & mask;
    while (blocks[slot] != FREE && keys[slot] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldBlocks = blocks;
    int[] oldPlaces = places;
    keys = new long[oldKeys.length * 2];
    blocks = free(keys.length);
    places = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldBlocks[i] != FREE) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        blocks[slot] = oldBlocks[i];
        places[slot] = oldPlaces[i];
      }
    }
  }

  /** Where the value of a number is kept; {@link #FREE} if there is none. */
  int find(long key) {
    int slot = slot(key);
    return blocks[slot] == FREE ? FREE : slot;
  }

  /** What was made of a value so far. Nothing is put in once values are made. */
  Constant made(int slot) {
    return made.length == 0 || made[slot] == null ? Constant.UNMADE : made[slot];
  }

  /** Remembers what was made of a value. */
  void made(int slot, Constant constant) {
    if (made.length == 0) {
      made = new Constant[keys.length];
    }
    made[slot] = constant;
  }

  /** In which event with constants a value stands. */
  int block(int slot) {
    return blocks[slot];
  }

  /** Where in that event it stands. */
  int place(int slot) {
    return places[slot];
  }
}
