package io.gcdiag.evidence.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.CpuProfile.BucketCounts;
import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BucketCountsTest {

  private static final Instant START = Instant.ofEpochSecond(1_000_000);

  private static Window seconds(long from, long to) {
    return new Window(START.plusSeconds(from), START.plusSeconds(to));
  }

  @Test
  void countsByKeyInsideAWindow() {
    BucketCounts<String> counts = new BucketCounts<>();
    counts.add("a", START);
    counts.add("a", START.plusMillis(900));
    counts.add("b", START.plusSeconds(1));
    counts.add("a", START.plusSeconds(5));
    assertEquals(Map.of("a", 2L, "b", 1L), counts.within(seconds(0, 5)));
    assertEquals(Map.of("a", 1L), counts.within(seconds(5, 6)));
  }

  @Test
  void addsThoseOfAnother() {
    BucketCounts<String> others = new BucketCounts<>();
    others.add("b", START);
    others.add("a", START.plusSeconds(1));
    BucketCounts<String> counts = new BucketCounts<>();
    counts.add("a", START);
    counts.add(others);
    assertEquals(Map.of("a", 2L, "b", 1L), counts.within(seconds(0, 2)));
    assertEquals(Map.of("a", 1L, "b", 1L), counts.within(seconds(0, 1)));
  }
}
