package io.gcdiag.cli.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongTableTest {

  /** Keys close together stand in one another's places; -1 and 0 are keys as any other. */
  @Test
  void itHoldsWhatAMapHolds() {
    Random random = new Random(1);
    LongTable table = new LongTable();
    Map<Long, Long> map = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      long key = (random.nextInt(3000) - 1500L) << random.nextInt(2) * 40;
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
