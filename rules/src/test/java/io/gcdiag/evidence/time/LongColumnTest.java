package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongColumnTest {

  private static final int SEGMENT = LongColumn.SEGMENT;

  @Test
  void aRowWithoutANumberHasNone() {
    LongColumn column = new LongColumn(1);
    assertEquals(LongColumn.NONE, column.get(0));
    assertEquals(LongColumn.NONE, column.get(5 * SEGMENT));

    column.set(3, 0);
    column.set(2 * SEGMENT, 7);

    assertEquals(LongColumn.NONE, column.get(2));
    assertEquals(0, column.get(3));
    assertEquals(LongColumn.NONE, column.get(4));
    assertEquals(LongColumn.NONE, column.get(SEGMENT));
    assertEquals(7, column.get(2 * SEGMENT));
  }

  @Test
  void multiplesOfTheStepTakeFourBytesAndOthersEight() {
    LongColumn column = new LongColumn(1_000_000);
    for (int row = 0; row < SEGMENT; row++) {
      column.set(row, 1_700_000_000_000_000_000L + 1_000_000L * (row % 2 == 0 ? row : -row));
    }
    assertEquals(4 * SEGMENT, column.bytes());
    assertEquals(1_700_000_000_007_000_000L - 14_000_000, column.get(7));

    column.set(9, 1);

    assertEquals(8 * SEGMENT, column.bytes());
    assertEquals(1, column.get(9));
    assertEquals(1_700_000_000_008_000_000L, column.get(8));
  }

  /** Against a plain map: numbers far and near, taken away, replaced, let go of. */
  @Test
  void whatIsTakenOutIsWhatWasPutIn() {
    Random random = new Random(7);
    for (int step : new int[] {1, 100, 1024, 10_000_000}) {
      LongColumn column = new LongColumn(step);
      Map<Integer, Long> expected = new HashMap<>();
      int rows = 3 * SEGMENT + 5;
      for (int i = 0; i < 4 * rows; i++) {
        int row = Math.min(i, random.nextInt(rows));
        long number = random.nextInt(50) == 0 ? random.nextLong() : 1L * step * random.nextInt();
        number = i % 11 == 0 ? LongColumn.NONE : number;
        column.set(row, number);
        expected.put(row, number);
      }
      same(expected, column, rows, 0);

      column.replaceAll(rows, row -> row % 3 == 0 ? LongColumn.NONE : -column.get(row));
      expected.replaceAll((row, number) -> row % 3 == 0 ? LongColumn.NONE : -number);
      same(expected, column, rows, 0);

      column.dropSegment();
      same(expected, column, rows - SEGMENT, SEGMENT);
    }
  }

  private static void same(Map<Integer, Long> expected, LongColumn column, int rows, int dropped) {
    for (int row = 0; row < rows; row++) {
      assertEquals(expected.getOrDefault(row + dropped, LongColumn.NONE), column.get(row));
    }
  }

  @Test
  void theLargestNumbersFitBesideTheSmallest() {
    LongColumn column = new LongColumn(10);
    long[] numbers = {Long.MAX_VALUE, Long.MIN_VALUE + 1, 0, -1, 10L * Integer.MAX_VALUE, 5};
    for (int row = 0; row < numbers.length; row++) {
      column.set(row, numbers[row]);
    }
    for (int row = 0; row < numbers.length; row++) {
      assertEquals(numbers[row], column.get(row));
    }
  }
}
