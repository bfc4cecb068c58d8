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
  void bucketsWidenWhenThereAreTooManyAndNothingIsLost() {
    BucketCounts<String> counts = new BucketCounts<>(4);
    for (int second = 0; second < 64; second++) {
      counts.add("a", START.plusSeconds(second));
    }
    assertEquals(Map.of("a", 64L), counts.within(seconds(-64, 128)));
    // 64 s in four buckets: 16 s each, of which two lie in the first half.
    assertEquals(Map.of("a", 32L), counts.within(seconds(0, 32)));
  }
}
