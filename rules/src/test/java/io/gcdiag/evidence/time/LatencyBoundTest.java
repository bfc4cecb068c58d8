package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LatencyBoundTest {

  private static LatencyBound range(long fromMillis, long toMillis) {
    return new LatencyBound(
        Duration.ofMillis(fromMillis), Optional.of(Duration.ofMillis(toMillis)));
  }

  @Test
  void aNarrowRangeIsPrintedAsItsUpperEnd() {
    assertEquals("120 ms", LatencyBound.exactly(Duration.ofMillis(120)).format());
    assertEquals("0 ms", LatencyBound.exactly(Duration.ZERO).format());
    // 103 / 100 is three percent.
    assertEquals("103 ms", range(100, 103).format());
  }

  @Test
  void aWideRangeIsPrintedWithBothEnds() {
    assertEquals("100 ms to 104 ms", range(100, 104).format());
    assertEquals("250 ms to 500 ms", range(250, 500).format());
    assertEquals("500 ms to 2.5 s", range(500, 2500).format());
  }

  @Test
  void noRangeReachesBeyondTheLongestRequest() {
    assertEquals("4.02 s", range(4_000, 4_040).upTo(Duration.ofMillis(4_019)).format());
    // A longest request below the range is that of other requests.
    assertEquals(range(4_000, 4_040), range(4_000, 4_040).upTo(Duration.ofMillis(3_900)));
    assertEquals(range(100, 101), range(100, 101).upTo(Duration.ofMillis(4_019)));
  }

  @Test
  void beyondTheLastBucketIsMore() {
    assertEquals(
        "more than 10 s", new LatencyBound(Duration.ofSeconds(10), Optional.empty()).format());
  }

  @Test
  void aRangeEndsNotBeforeItBegins() {
    assertThrows(IllegalArgumentException.class, () -> range(2, 1));
    assertThrows(IllegalArgumentException.class, () -> range(-1, 1));
  }
}
