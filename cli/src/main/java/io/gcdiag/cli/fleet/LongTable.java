package io.gcdiag.cli.fleet;

import io.gcdiag.evidence.time.RowIndex;
import java.util.Arrays;

/** A number for each of many keys, in plain arrays: 40 to 80 bytes each, where objects take 100. */
final class LongTable {

  /** The value of a key that is not there; no value may be negative. */
  static final long NONE = -1;

  private static final int FIRST_SIZE = 64;

  private final RowIndex keys = new RowIndex();

  /** The value of the key of each row; {@link #NONE} if the key was removed. */
  private long[] values = new long[FIRST_SIZE];

  private int used;

  /** Takes a pair. */
  @FunctionalInterface
  interface Visitor {
    void pair(long key, long value);
  }

  /** The value of a key, or {@link #NONE}. */
  long get(long key) {
    int row = keys.find(key);
    return row == RowIndex.NONE ? NONE : values[row];
  }

  void put(long key, long value) {
    used += get(key) == NONE ? 1 : 0;
    int row = keys.row(key);
    if (row == values.length) {
      values = Arrays.copyOf(values, 2 * row);
    }
    values[row] = value;
  }

  void remove(long key) {
    if (get(key) != NONE) {
      values[keys.find(key)] = NONE;
      used--;
    }
  }

  /** In the order in which the keys were put first. */
  void forEach(Visitor visitor) {
    for (int row = 0; row < keys.count(); row++) {
      if (values[row] != NONE) {
        visitor.pair(keys.key(row), values[row]);
      }
    }
  }

  /** How many keys there are. */
  int size() {
    return used;
  }
}
