package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NanosTest {

  @Test
  void anInstantIsCountedFrom1970AndBack() {
    Instant at = Instant.parse("2026-11-21T05:46:05.799123456Z");

    assertEquals(1_795_239_965_799_123_456L, Nanos.since1970(at));
    assertEquals(at, Nanos.instant(Nanos.since1970(at)));
    assertEquals(Instant.parse("1969-12-31T23:59:59.999999999Z"), Nanos.instant(-1));
  }

  @Test
  void whatNoLongHoldsBecomesTheLongestTime() {
    assertEquals(Long.MAX_VALUE, Nanos.since1970(Instant.MAX));
    assertEquals(Long.MIN_VALUE, Nanos.since1970(Instant.MIN));
    assertEquals(Long.MAX_VALUE, Nanos.of(Duration.ofDays(1_000_000)));
    assertEquals(Long.MAX_VALUE, Nanos.plus(Long.MAX_VALUE, 1));
    assertEquals(3, Nanos.plus(1, 2));
  }

  @Test
  void secondsAreThoseOfTheDuration() {
    for (long nanos : new long[] {0, 1, 999_999_999, 1_000_000_001, 86_400_123_456_789L, -1_500}) {
      assertEquals(Durations.seconds(Duration.ofNanos(nanos)), Nanos.seconds(nanos));
    }
  }
}
