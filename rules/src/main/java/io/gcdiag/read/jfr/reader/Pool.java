package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.RowIndex;
import java.util.Arrays;

/**
 * Positions of the constants of one type, by their numbers. They are kept in plain arrays, because
 * a chunk has some ten thousand constants and most are never used. Each constant has a row; of two
 * with one number, the later one is found.
 */
final class Pool {

  private static final int FIRST_SIZE = 64;

  static final int FREE = RowIndex.NONE;

  /** The empty pool of a type without constants. */
  static final Pool NONE = new Pool();

  private RowIndex rows = new RowIndex();
  private int[] blocks = {};
  private int[] places = {};
  private int[] ends = {};

  void clear() {
    rows = new RowIndex();
  }

  /**
   * Adds the position of a value.
   *
   * @param block number of the event with constants
   * @param place where it begins in that event
   */
  void put(long key, int block, int place, int end) {
    int row = rows.row(key);
    if (row >= blocks.length) {
      int size = Math.max(FIRST_SIZE, 2 * row);
      blocks = Arrays.copyOf(blocks, size);
      places = Arrays.copyOf(places, size);
      ends = Arrays.copyOf(ends, size);
    }
    blocks[row] = block;
    places[row] = place;
    ends[row] = end;
  }

  /** The row of a number; {@link #FREE} if it has none. */
  int find(long key) {
    return rows.find(key);
  }

  int count() {
    return rows.count();
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
