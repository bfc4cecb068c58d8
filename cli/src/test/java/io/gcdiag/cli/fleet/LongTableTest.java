package io.gcdiag.cli.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongTableTest {

  /** Small keys all stand for one place; -1 and 0 are keys as any other. */
  @Test
  void itHoldsWhatAMapHolds() {
    Random random = new Random(1);
    LongTable table = new LongTable();
    Map<Long, Long> map = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      long key =
          random.nextInt(10) == 0
              ? random.nextInt(20) - 1L
              : random.nextInt(3000) * 0x9E3779B97F4A7C15L;
      if (random.nextInt(3) == 0) {
        table.remove(key);
        map.remove(key);
      } else {
        table.put(key, i);
        map.put(key, (long) i);
      }
    }
    assertEquals(map.size(), table.size());
    map.forEach((key, value) -> assertEquals(value, table.get(key)));
    Map<Long, Long> visited = new HashMap<>();
    table.forEach(visited::put);
    assertEquals(map, visited);
    assertEquals(LongTable.NONE, table.get(1L << 62));
  }
}
