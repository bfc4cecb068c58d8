package io.gcdiag.cli.fleet;

import java.util.Arrays;

/**
 * A number for each of many keys, in plain arrays: 24 to 30 bytes each, where objects take 100.
 * Keys are digests already, so their high bits say where they stand.
 */
final class LongTable {

  /** No value. */
  static final long NONE = -1;

  private static final int FIRST_SIZE = 64;

  /** Of five places four are used before the table grows by half. */
  private static final int FULL_OF_FIVE = 4;

  private long[] keys = new long[FIRST_SIZE];
  private long[] values = free(FIRST_SIZE);
  private int used;

  private static long[] free(int size) {
    long[] values = new long[size];
    Arrays.fill(values, NONE);
    return values;
  }

  /** What is done with each pair. */
  @FunctionalInterface
  interface Visitor {
    void pair(long key, long value);
  }

  /** The value of a key; {@link #NONE} if it has none. */
  long get(long key) {
    return values[slot(key)];
  }

  /**
   * Gives a key a value, instead of the one it has.
   *
   * @param value 0 or more
   */
  void put(long key, long value) {
    if ((used + 1) * (FULL_OF_FIVE + 1L) > (long) keys.length * FULL_OF_FIVE) {
      grow();
    }
    int slot = slot(key);
    used += values[slot] == NONE ? 1 : 0;
    keys[slot] = key;
    values[slot] = value;
  }

  /** Takes a key away; those behind it move up, so that they are still found. */
  void remove(long key) {
    int free = slot(key);
    if (values[free] == NONE) {
      return;
    }
    values[free] = NONE;
    used--;
    for (int slot = next(free); values[slot] != NONE; slot = next(slot)) {
      long moved = values[slot];
      values[slot] = NONE;
      int place = slot(keys[slot]);
      keys[place] = keys[slot];
      values[place] = moved;
    }
  }

  void forEach(Visitor visitor) {
    for (int slot = 0; slot < keys.length; slot++) {
      if (values[slot] != NONE) {
        visitor.pair(keys[slot], values[slot]);
      }
    }
  }

  int size() {
    return used;
  }

  private int slot(long key) {
    int slot = (int) ((key >>> Integer.SIZE) * keys.length >>> Integer.SIZE);
    while (values[slot] != NONE && keys[slot] != key) {
      slot = next(slot);
    }
    return slot;
  }

  private int next(int slot) {
    return slot + 1 == keys.length ? 0 : slot + 1;
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldValues = values;
    keys = new long[oldKeys.length + oldKeys.length / 2];
    values = free(keys.length);
    for (int slot = 0; slot < oldKeys.length; slot++) {
      if (oldValues[slot] != NONE) {
        int place = slot(oldKeys[slot]);
        keys[place] = oldKeys[slot];
        values[place] = oldValues[slot];
      }
    }
  }
}
