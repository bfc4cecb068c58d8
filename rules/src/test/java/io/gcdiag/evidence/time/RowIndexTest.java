package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RowIndexTest {

  private final RowIndex rows = new RowIndex();

  @Test
  void eachNumberHasOneRow() {
    assertEquals(0, rows.row(7));
    assertEquals(1, rows.row(-3));
    assertEquals(0, rows.row(7));
    assertEquals(2, rows.row(0));
    assertEquals(3, rows.count());
    assertEquals(-3, rows.key(1));
    assertEquals(1, rows.find(-3));
    assertEquals(RowIndex.NONE, rows.find(4));
    assertArrayEquals(new long[] {-3, 0, 7}, rows.sorted());
  }

  @Test
  void manyNumbersKeepTheirRows() {
    for (int i = 0; i < 10_000; i++) {
      assertEquals(i, rows.row(i * 4096L - 5_000_000));
    }
    for (int i = 0; i < 10_000; i++) {
      assertEquals(i, rows.find(i * 4096L - 5_000_000));
    }
    assertEquals(RowIndex.NONE, rows.find(1));
  }
}
